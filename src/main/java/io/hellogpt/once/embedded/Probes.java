package io.hellogpt.once.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Cheap questions about whether something answers. */
final class Probes {
    private static final int CONNECT_MILLIS = 500;

    private Probes() {}

    /** Whether a connection to a loopback port is accepted. */
    static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }
}
