package io.hellogpt.once.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A model server over real sockets that sends exactly what the test says, whatever HTTP makes of it. */
final class ScriptedServer implements AutoCloseable {
    private static final int CHUNK = 64 * 1024;

    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    final AtomicInteger calls = new AtomicInteger();
    /** Connections the client has hung up on. */
    final AtomicInteger hungUp = new AtomicInteger();
    /** Bytes of bodies the client has let the server write. */
    final AtomicLong written = new AtomicLong();

    volatile Reply reply = ok(
            "{\"choices\":[{\"message\":{\"content\":\"yes\"}}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}");

    /** What is sent after a request was read. */
    interface Reply {
        void send(OutputStream out) throws IOException;
    }

    ScriptedServer() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String baseUrl() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/v1";
    }

    static Reply ok(String body) {
        return status("200 OK", "", body);
    }

    static Reply status(String status, String headers, String body) {
        return text("HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    static Reply text(String response) {
        return out -> out.write(response.getBytes(StandardCharsets.UTF_8));
    }

    /** Nothing at all, and the connection stays open. */
    static Reply silence() {
        return out -> {};
    }

    /** A body without a declared length that is {@code bytes} long, or as long as the client reads. */
    Reply flood(long bytes) {
        return out -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.UTF_8));
            byte[] chunk = new byte[CHUNK];
            for (long sent = 0; sent < bytes; sent += CHUNK) {
                out.write(chunk);
                written.addAndGet(CHUNK);
            }
        };
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            while (readRequest(in)) {
                calls.incrementAndGet();
                Reply now = reply;
                now.send(socket.getOutputStream());
                socket.getOutputStream().flush();
                if (now instanceof Last) {
                    return;
                }
            }
            hungUp.incrementAndGet();
        } catch (IOException reset) {
            hungUp.incrementAndGet();
        }
    }

    /** A reply after which the server closes the connection. */
    record Last(Reply reply) implements Reply {
        @Override
        public void send(OutputStream out) throws IOException {
            reply.send(out);
        }
    }

    /** @return false when the client has closed the connection */
    private static boolean readRequest(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            head.append((char) next);
        }
        String lower = head.toString().toLowerCase(java.util.Locale.ROOT);
        int at = lower.indexOf("content-length:");
        int length = at < 0
                ? 0
                : Integer.parseInt(
                        lower.substring(at + 15, lower.indexOf("\r\n", at)).strip());
        in.readNBytes(length);
        return true;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
