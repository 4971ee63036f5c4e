package io.hellogpt.once.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Where the brokers of a cluster meet, for replication and for the quorum of their controllers.
 *
 * <p>A broker tells all others the same address, and yet a proxy must know which of them comes. So the address is a name, and for each
 * broker it stands for another address of the loopback network: its own, where it listens at its own ports, and where at the others'
 * ports there is room for a proxy to each of them.
 */
final class Peers {
    private static final String NAME = "peers";
    private static final int FIRST_ADDRESS = 10;

    private final Map<Integer, Integer> replication = new TreeMap<>();
    private final Map<Integer, Integer> quorum = new TreeMap<>();
    private final boolean apart;

    /** Of brokers 1 to {@code size}. */
    Peers(int size) {
        this.apart = IntStream.rangeClosed(1, size).allMatch(Peers::isAddressOfThisMachine);
        IntStream.rangeClosed(1, size).forEach(id -> {
            replication.put(id, FreePorts.next());
            quorum.put(id, FreePorts.next());
        });
    }

    int size() {
        return quorum.size();
    }

    /** Whether each broker has an address of its own, which Linux gives without being asked: proxies must stand between them then. */
    boolean areApart() {
        return apart;
    }

    /** Where a broker offers its replicas, as brokers name it. */
    String replication(int id) {
        return NAME + ":" + replication.get(id);
    }

    /** Where its controller is, as brokers name it. */
    String quorum(int id) {
        return NAME + ":" + quorum.get(id);
    }

    /** All controllers, as {@code controller.quorum.voters} wants them. */
    String voters() {
        return quorum.keySet().stream().map(id -> id + "@" + quorum(id)).collect(Collectors.joining(","));
    }

    /** The file by which a broker resolves names; it knows no others. */
    String hosts(int id) {
        return "%s %s%n127.0.0.1 localhost%n".formatted(address(id).getHostAddress(), NAME);
    }

    /** Tells of every way from a broker to another that somebody has to open. */
    void open(KraftCluster.Ways ways) {
        for (int from : quorum.keySet()) {
            for (int to : quorum.keySet()) {
                if (from != to) {
                    ways.open(from, to, seenBy(from, replication.get(to)), seenBy(to, replication.get(to)));
                    ways.open(from, to, seenBy(from, quorum.get(to)), seenBy(to, quorum.get(to)));
                }
            }
        }
    }

    private InetSocketAddress seenBy(int id, int port) {
        return new InetSocketAddress(address(id), port);
    }

    private InetAddress address(int id) {
        return apart ? own(id) : InetAddress.getLoopbackAddress();
    }

    private static InetAddress own(int id) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (FIRST_ADDRESS + id)});
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address has four bytes", impossible);
        }
    }

    private static boolean isAddressOfThisMachine(int id) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(own(id), 0));
            return true;
        } catch (IOException notHere) {
            return false;
        }
    }
}
