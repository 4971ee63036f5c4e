package io.hellogpt.once.embedded;

import io.hellogpt.once.embedded.ClusterBroker.Listener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/**
 * A cluster of real brokers, each controller as well, every topic in as many copies as there are brokers.
 *
 * <p>Each kind of client has a listener of its own on each broker, which may be advertised at a proxy: so one client can be cut off
 * from one broker while everybody else still reaches it. The brokers' own replication goes through such a listener too; the
 * controllers' quorum does not.
 */
public final class KraftCluster {
    /** The listener of whoever starts the cluster; never behind a proxy. */
    public static final String OWNER = "OWNER";
    /** The listener of the other brokers. */
    public static final String BROKERS = "BROKERS";

    private final List<ClusterBroker> brokers;
    private final Map<String, List<Integer>> doors;

    /** Says at which port a broker is to be advertised to a kind of client. */
    public interface Doors {
        /** @param port where the broker listens */
        int advertised(String client, int broker, int port);
    }

    private KraftCluster(List<ClusterBroker> brokers, Map<String, List<Integer>> doors) {
        this.brokers = List.copyOf(brokers);
        this.doors = Map.copyOf(doors);
    }

    /**
     * Writes what every broker needs; each is started by itself, and ready when most are.
     *
     * @param clients kinds of client besides the owner: names of upper-case letters and digits
     */
    public static KraftCluster create(Path workDir, int size, List<String> clients, Doors doors) {
        String clusterId = Uuid.randomUuid().toString();
        Map<Integer, Integer> controllers = new TreeMap<>();
        IntStream.rangeClosed(1, size).forEach(id -> controllers.put(id, FreePorts.next()));
        Map<String, List<Integer>> open = new TreeMap<>();
        List<ClusterBroker> brokers = new ArrayList<>();
        for (int id : controllers.keySet()) {
            List<Listener> listeners = new ArrayList<>();
            listeners.add(owner());
            for (String client : clients) {
                listeners.add(behind(doors, client, id));
            }
            listeners.add(behind(doors, BROKERS, id));
            listeners.forEach(each ->
                    open.computeIfAbsent(each.name(), any -> new ArrayList<>()).add(each.advertised()));
            brokers.add(ClusterBroker.create(workDir, id, clusterId, listeners, controllers));
        }
        return new KraftCluster(brokers, open);
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
