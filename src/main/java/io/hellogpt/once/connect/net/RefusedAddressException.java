package io.hellogpt.once.connect.net;

import java.net.UnknownHostException;

/** A name leads to an address the route may not connect to; no connection was opened. */
public final class RefusedAddressException extends UnknownHostException {
    private static final long serialVersionUID = 1;

    RefusedAddressException(String message) {
        super(message);
    }
}
