package io.hellogpt.once.embedded;

import io.hellogpt.once.embedded.ClusterBroker.Listener;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;

/**
 * A cluster of real brokers, each controller as well, every topic in as many copies as there are brokers.
 *
 * <p>Each kind of client has a listener of its own on each broker, which may be advertised at a proxy: so one client can be cut off
 * from one broker while everybody else still reaches it. What goes on among the brokers, replication and the quorum of controllers, can
 * be made to pass a proxy for each of them and each other, see {@link Ways}.
 */
public final class KraftCluster {
    /** The listener of whoever starts the cluster; never behind a proxy. */
    public static final String OWNER = "OWNER";

    private final List<ClusterBroker> brokers;
    private final Map<String, List<Integer>> doors;
    private final boolean apart;

    /** Says at which port a broker is to be advertised to a kind of client. */
    public interface Doors {
        /** @param port where the broker listens */
        int advertised(String client, int broker, int port);
    }

    /** Opens the ways on which brokers talk to each other. */
    public interface Ways {
        /**
         * From now on what one broker sends to the other must be passed on; not asked where not {@link KraftCluster#brokersAreApart}.
         *
         * @param at where the sender will connect
         * @param to where the other one listens
         */
        void open(int broker, int other, InetSocketAddress at, InetSocketAddress to);
    }

    private KraftCluster(List<ClusterBroker> brokers, Map<String, List<Integer>> doors, boolean apart) {
        this.brokers = List.copyOf(brokers);
        this.doors = Map.copyOf(doors);
        this.apart = apart;
    }

    /**
     * Writes what every broker needs; each is started by itself, and ready when most are.
     *
     * @param clients kinds of client besides the owner: names of upper-case letters and digits
     */
    public static KraftCluster create(Path workDir, int size, List<String> clients, Doors doors, Ways ways) {
        String clusterId = Uuid.randomUuid().toString();
        Peers peers = new Peers(size);
        if (peers.areApart()) {
            peers.open(ways);
        }
        Map<String, List<Integer>> open = new TreeMap<>();
        List<ClusterBroker> brokers = new ArrayList<>();
        for (int id = 1; id <= size; id++) {
            List<Listener> listeners = new ArrayList<>();
            listeners.add(owner());
            for (String client : clients) {
                listeners.add(behind(doors, client, id));
            }
            listeners.forEach(each ->
                    open.computeIfAbsent(each.name(), any -> new ArrayList<>()).add(each.advertised()));
            brokers.add(ClusterBroker.create(workDir, id, clusterId, listeners, peers));
        }
        return new KraftCluster(brokers, open, peers.areApart());
    }

    /** Whether what goes on among the brokers passes {@link Ways}; needs more than one loopback address, as Linux has. */
    public boolean brokersAreApart() {
        return apart;
    }

    public List<ClusterBroker> brokers() {
        return brokers;
    }

    /** The bootstrap servers for a kind of client. */
    public String bootstrap(String client) {
        return doors.get(client).stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    private static Listener owner() {
        int port = FreePorts.next();
        return new Listener(OWNER, port, port);
    }

    private static Listener behind(Doors doors, String client, int broker) {
        int port = FreePorts.next();
        return new Listener(client, port, doors.advertised(client, broker, port));
    }
}
