package io.hellogpt.once.embedded;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Stands between an instance and its broker and holds back requests of a kind, so that a fault can be placed exactly between two of
 * them: after a transaction's last write and before its commit, or after an answer and before its record in the journal.
 */
final class Relay implements AutoCloseable {
    private static final int LARGEST = 64 << 20;

    private final ServerSocket server;
    private final int target;
    private final List<Hold> holds = new CopyOnWriteArrayList<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private Relay(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    /** Listens on one port of this machine and passes on to the other. */
    static Relay open(int port, int target) throws IOException {
        ServerSocket server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Relay relay = new Relay(server, target);
        Thread.ofVirtual().name("relay").start(relay::accept);
        return relay;
    }

    /** Which requests are held back; asked about each, in the order they come. */
    interface Rule {
        boolean holds(ApiKeys kind, String client, byte[] request);
    }

    /** Holds back what a client asks its broker from now on, with all that the same connection sends behind it. */
    Hold hold(Rule rule) {
        Hold hold = new Hold(rule);
        holds.add(hold);
        return hold;
    }

    /**
     * Holds back the commit of the first transaction that writes something about a request. An idle instance commits its position
     * all the time, so the commit alone says nothing.
     */
    Hold holdCommit(String client, String requestId) {
        byte[] mark = requestId.getBytes(StandardCharsets.UTF_8);
        Set<String> wrote = ConcurrentHashMap.newKeySet();
        return hold((kind, name, request) -> {
            if (name.startsWith(client) && kind == ApiKeys.PRODUCE && contains(request, mark)) {
                wrote.add(name);
            }
            return kind == ApiKeys.END_TXN && wrote.contains(name);
        });
    }

    /** Whether an instance writes something about a request from now on; holds nothing back. */
    AtomicBoolean watch(String client, String requestId) {
        byte[] mark = requestId.getBytes(StandardCharsets.UTF_8);
        AtomicBoolean wrote = new AtomicBoolean();
        hold((kind, name, request) -> {
            if (name.startsWith(client) && kind == ApiKeys.PRODUCE && contains(request, mark)) {
                wrote.set(true);
            }
            return false;
        });
        return wrote;
    }

    /** Ends every hold as {@link Hold#lose} does. */
    void holdNothing() {
        holds.forEach(Hold::lose);
    }

    private static boolean contains(byte[] bytes, byte[] mark) {
        for (int from = 0; from + mark.length <= bytes.length; from++) {
            if (Arrays.equals(bytes, from, from + mark.length, mark, 0, mark.length)) {
                return true;
            }
        }
        return false;
    }

    /** Requests that are held back, until it is said what becomes of them. */
    final class Hold {
        private enum Verdict {
            UNDECIDED,
            PASS,
            LOSE
        }

        private final Rule rule;
        private Verdict verdict = Verdict.UNDECIDED;
        private int caught;

        private Hold(Rule rule) {
            this.rule = rule;
        }

        synchronized int caught() {
            return caught;
        }

        /** What is held back goes on its way, even if its sender has died since; nothing more is held. */
        void pass() {
            decide(Verdict.PASS);
        }

        /** What is held back never arrives, and its connections are cut; nothing more is held. */
        void lose() {
            decide(Verdict.LOSE);
        }

        private synchronized void decide(Verdict end) {
            holds.remove(this);
            verdict = end;
            notifyAll();
        }

        private synchronized boolean passes() throws InterruptedException {
            caught++;
            while (verdict == Verdict.UNDECIDED) {
                wait();
            }
            return verdict == Verdict.PASS;
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                Thread.ofVirtual().name("relay-up").start(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket broker = new Socket(InetAddress.getLoopbackAddress(), target)) {
            sockets.add(broker);
            client.setTcpNoDelay(true);
            broker.setTcpNoDelay(true);
            Thread.ofVirtual().name("relay-down").start(() -> answers(broker, client));
            requests(client, broker);
        } catch (IOException gone) {
            // One side has gone; the other notices by its connection.
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(client);
        }
    }

    private void requests(Socket client, Socket broker) throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        DataOutputStream out = new DataOutputStream(broker.getOutputStream());
        while (true) {
            int length = in.readInt();
            if (length < 0 || length > LARGEST) {
                throw new EOFException("no Kafka request");
            }
            byte[] frame = in.readNBytes(length);
            if (!mayPass(frame)) {
                return;
            }
            out.writeInt(length);
            out.write(frame);
            out.flush();
        }
    }

    /** A request begins with its kind, its version, a number and the client's name. */
    private boolean mayPass(byte[] frame) throws InterruptedException {
        ByteBuffer header = ByteBuffer.wrap(frame);
        ApiKeys kind = ApiKeys.forId(header.getShort());
        header.getShort();
        header.getInt();
        byte[] name = new byte[Math.max(0, header.getShort())];
        header.get(name);
        String client = new String(name, StandardCharsets.UTF_8);
        for (Hold hold : holds) {
            if (hold.rule.holds(kind, client, frame)) {
                return hold.passes();
            }
        }
        return true;
    }

    private static void answers(Socket broker, Socket client) {
        try (client;
                InputStream in = broker.getInputStream()) {
            in.transferTo(client.getOutputStream());
        } catch (IOException gone) {
            // As above.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        holdNothing();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
