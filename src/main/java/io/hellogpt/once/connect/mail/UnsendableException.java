package io.hellogpt.once.connect.mail;

/** No letter can be made of a payload; the message says why and shows nothing of the payload. */
final class UnsendableException extends Exception {
    private static final long serialVersionUID = 1;

    UnsendableException(String message) {
        super(message);
    }
}
