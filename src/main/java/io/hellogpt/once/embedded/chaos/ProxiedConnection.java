package io.hellogpt.once.embedded.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** One connection through a {@link TcpProxy}: bytes both ways, each chunk through the gate. */
final class ProxiedConnection implements AutoCloseable {
    private static final int CHUNK = 64 * 1024;
    private static final int CONNECT_MILLIS = 2_000;

    private final Socket client;
    private final InetSocketAddress address;
    private final Gate gate;
    private final Socket target = new Socket();
    private volatile boolean ended;

    ProxiedConnection(Socket client, InetSocketAddress address, Gate gate) {
        this.client = client;
        this.address = address;
        this.gate = gate;
    }

    /** Carries bytes until one side closes, the target does not answer, or {@link #reset}. */
    void run() {
        try {
            gate.pass();
            if (ended) {
                return;
            }
            client.setTcpNoDelay(true);
            target.setTcpNoDelay(true);
            target.connect(address, CONNECT_MILLIS);
            Thread back = Thread.ofVirtual().name("proxy back").start(() -> pump(target, client));
            pump(client, target);
            back.join();
        } catch (IOException unreachable) {
            // A client whose target does not listen is told so in the only way left after its connection was accepted.
            reset();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] chunk = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                gate.pass();
                if (ended) {
                    return;
                }
                out.write(chunk, 0, read);
            }
            gate.pass();
            to.shutdownOutput();
        } catch (IOException broken) {
            // One side's reset is the other side's reset.
            reset();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes both ends with a reset; what is on the way is lost. */
    void reset() {
        ended = true;
        abort(client);
        abort(target);
    }

    private static void abort(Socket socket) {
        try {
            if (socket.isConnected()) {
                socket.setSoLinger(true, 0);
            }
            socket.close();
        } catch (IOException alreadyClosed) {
            // Which is what was wanted.
        }
    }

    @Override
    public void close() {
        try {
            client.close();
            target.close();
        } catch (IOException alreadyClosed) {
            // Which is what was wanted.
        }
    }
}
