package io.hellogpt.once.connect.mail;

import java.io.IOException;
import java.net.Socket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of one mail, which another thread can cut. An interrupt does not end a thread that waits for a socket; when its
 * socket is closed it ends, and from then on nothing leaves any more, whatever that thread goes on to do.
 */
final class Line {
    private static final Logger LOG = LoggerFactory.getLogger(Line.class);

    private Socket socket;
    private Letters.Sheet sheet;
    private boolean cut;

    /** What is going to leave over this line. */
    synchronized void carry(Letters.Sheet letter) {
        sheet = letter;
    }

    /**
     * Takes a socket that is not connected yet.
     *
     * @throws IOException when the line was cut; the socket is closed then
     */
    synchronized void over(Socket next) throws IOException {
        socket = next;
        if (cut) {
            next.close();
            throw new IOException("cut");
        }
    }

    synchronized void cut() {
        cut = true;
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                LOG.debug("a connection to a mail server was not closed in order", e);
            }
        }
    }

    synchronized boolean isCut() {
        return cut;
    }

    /** Whether the end of the text may have left. */
    synchronized boolean mayHaveSent() {
        return sheet != null && sheet.complete();
    }
}
