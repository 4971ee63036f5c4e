package io.hellogpt.once.connect.http;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP server that says it keeps its connections, and then closes them without a word. */
final class ClosingServer implements AutoCloseable {
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}";

    /** At which moment it closes a connection. */
    enum Close {
        NEVER,
        ON_THE_FIRST_REQUEST,
        AFTER_THE_RESPONSE,
        /** The race every receiver has: its patience ends while the next request is on its way. */
        ON_THE_NEXT_REQUEST
    }

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final Close when;

    ClosingServer(Close when) throws IOException {
        this.when = when;
        Thread.ofVirtual().start(this::serve);
    }

    String url() {
        return "http://localhost:" + server.getLocalPort() + "/";
    }

    int connections() {
        return connections.get();
    }

    /** Requests it has answered. */
    int requests() {
        return requests.get();
    }

    /** Waits until what it closes by itself is closed. */
    void awaitClosed() {
        if (when == Close.AFTER_THE_RESPONSE) {
            await().atMost(Duration.ofSeconds(10)).until(() -> open.get() == 0);
        }
    }

    private void serve() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                connections.incrementAndGet();
                open.incrementAndGet();
                Thread.ofVirtual().start(() -> converse(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void converse(Socket socket) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            for (boolean first = when != Close.ON_THE_FIRST_REQUEST;
                    read(in) && (first || answersAgain());
                    first = false) {
                requests.incrementAndGet();
                socket.getOutputStream().write(ANSWER.getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
                if (when == Close.AFTER_THE_RESPONSE) {
                    return;
                }
            }
        } catch (IOException gone) {
            // The client has left.
        } finally {
            close(socket);
            open.decrementAndGet();
        }
    }

    private boolean answersAgain() {
        return when != Close.ON_THE_NEXT_REQUEST && when != Close.ON_THE_FIRST_REQUEST;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // It is.
        }
    }

    /** Takes a request in; false when there is none any more. */
    private static boolean read(BufferedReader in) throws IOException {
        int length = 0;
        String line = in.readLine();
        if (line == null) {
            return false;
        }
        for (; line != null && !line.isEmpty(); line = in.readLine()) {
            if (line.toLowerCase().startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        return in.skip(length) == length;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
