package io.hellogpt.once.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What stands before instances: passes connections to the first one that takes them, and breaks them when told to. */
final class Front implements AutoCloseable {
    private final ServerSocket listening;
    private final List<Integer> targets;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** @param targets ports on this machine, the preferred one first */
    Front(List<Integer> targets) {
        try {
            this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.targets = targets;
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    /** Connections there are, each counted at both ends. */
    int connections() {
        return open.size();
    }

    void breakAll() {
        open.forEach(Front::close);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Thread.ofVirtual().start(() -> pass(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void pass(Socket client) {
        for (int port : targets) {
            try {
                Socket target = new Socket(InetAddress.getLoopbackAddress(), port);
                open.add(client);
                open.add(target);
                Thread.ofVirtual().start(() -> copy(client, target));
                copy(target, client);
                return;
            } catch (IOException taken) {
                // The next one, then.
            }
        }
        close(client);
    }

    private void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException broken) {
            // Both ends are closed below.
        } finally {
            close(from);
            close(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        breakAll();
    }
}
