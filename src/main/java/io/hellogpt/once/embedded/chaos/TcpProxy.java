package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.EmbeddedException;
import io.hellogpt.once.embedded.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One way between two processes on loopback, which can be cut, slowed down and reset.
 *
 * <p>A cut is a network that drops packets: connections stay open and silent, new ones are accepted by nobody, and what was under way
 * arrives when the cut is over. A reset is what a firewall or a crashed router does: both ends are told that the connection is gone.
 * Safe for use by many threads.
 */
final class TcpProxy implements AutoCloseable {
    private static final int BACKLOG = 256;

    private final String name;
    private final InetSocketAddress target;
    private final ServerSocket server;
    private final Gate gate = new Gate();
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong resets = new AtomicLong();
    private volatile boolean closed;

    private TcpProxy(String name, InetSocketAddress target, ServerSocket server) {
        this.name = name;
        this.target = target;
        this.server = server;
    }

    /**
     * Opens a way to a port on loopback; whether something listens there does not matter yet.
     *
     * @throws EmbeddedException if no port can be had
     */
    static TcpProxy open(String name, int targetPort) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return open(
                name, new InetSocketAddress(loopback, FreePorts.next()), new InetSocketAddress(loopback, targetPort));
    }

    /**
     * Opens a way from one address to another.
     *
     * @throws EmbeddedException if the first one cannot be had
     */
    static TcpProxy open(String name, InetSocketAddress at, InetSocketAddress target) {
        try {
            ServerSocket server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(at, BACKLOG);
            TcpProxy proxy = new TcpProxy(name, target, server);
            Thread.ofVirtual().name("proxy " + name).start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new EmbeddedException("no way could be opened for " + name, e);
        }
    }

    String name() {
        return name;
    }

    /** Where clients connect. */
    int port() {
        return server.getLocalPort();
    }

    void cut() {
        gate.cut();
    }

    void delay(Duration by) {
        gate.delay(by);
    }

    /** The way is free; what was held up arrives now. */
    void restore() {
        gate.restore();
    }

    /** The way is free; what was held up is lost, with its connections. */
    void restoreWithoutWhatWasHeldUp() {
        resetConnections();
        gate.restore();
    }

    /** Ends all connections, at both ends with a reset. */
    void resetConnections() {
        for (ProxiedConnection connection : connections) {
            connection.reset();
            resets.incrementAndGet();
        }
    }

    /** How many chunks, connections and resets faults have hit so far: a fault that hits nothing has not happened. */
    long hits() {
        return gate.held() + resets.get();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = server.accept();
                Thread.ofVirtual().name("proxy " + name).start(() -> serve(client));
            } catch (IOException e) {
                if (!closed) {
                    throw new EmbeddedException("the way " + name + " is broken", e);
                }
            }
        }
    }

    private void serve(Socket client) {
        try (ProxiedConnection connection = new ProxiedConnection(client, target, gate)) {
            connections.add(connection);
            try {
                connection.run();
            } finally {
                connections.remove(connection);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            server.close();
        } catch (IOException e) {
            throw new EmbeddedException("the way " + name + " could not be closed", e);
        }
        connections.forEach(ProxiedConnection::reset);
        gate.restore();
    }
}
