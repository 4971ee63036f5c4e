package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hellogpt.once.embedded.ClusterBroker;
import io.hellogpt.once.embedded.KraftCluster;
import io.hellogpt.once.embedded.chaos.Network.Party;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KraftClusterIT {
    private static final Duration SOON = Duration.ofSeconds(90);

    @TempDir
    Path dir;

    private final Network network = new Network();

    @Test
    void aBrokerThatIsLostOrCutOffFromTheOthersIsMissedAndComesBack() throws Exception {
        KraftCluster cluster = KraftCluster.create(
                dir,
                3,
                List.of("GUEST"),
                (client, broker, port) -> port,
                (one, other, at, to) -> network.join(broker(one), broker(other), at, to));
        try {
            Together.run(cluster.brokers().stream()
                    .<Runnable>map(broker -> broker::start)
                    .toList());

            assertThat(ports("GUEST", cluster)).doesNotContainAnyElementsOf(ports(KraftCluster.OWNER, cluster));
            createTopic(cluster);
            write(cluster, 1);

            ClusterBroker lost = cluster.brokers().getFirst();
            lost.kill();
            write(cluster, 2);
            lost.start();
            write(cluster, 3);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(ports("GUEST", cluster)).hasSize(3));

            assumeTrue(cluster.brokersAreApart(), "this machine has one loopback address only");
            cutOffFromTheOthersItIsMissedAndComesBack(cluster, lost);
        } finally {
            cluster.brokers().forEach(ClusterBroker::kill);
            network.close();
        }
    }

    /** It lives, and clients reach it: only a cut of everything among the brokers, the quorum included, makes it missed. */
    private void cutOffFromTheOthersItIsMissedAndComesBack(KraftCluster cluster, ClusterBroker broker)
            throws Exception {
        assertThat(network.links()).extracting(Link::name).hasSize(3).contains("broker-1=broker-2");
        String others = cluster.brokers().get(1).address() + ","
                + cluster.brokers().get(2).address();
        Link around = network.around(broker(broker.id()));

        around.cut();
        await().atMost(SOON).untilAsserted(() -> assertThat(nodes(others)).doesNotContain(broker.id()));
        write(cluster, 4);
        assertThat(around.hits()).isPositive();

        around.restore();
        await().atMost(SOON).untilAsserted(() -> assertThat(nodes(others)).contains(broker.id()));
    }

    private static Party broker(int id) {
        return new Party(Role.BROKER, "broker-" + id);
    }

    private static Set<Integer> nodes(String bootstrap) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            return admin.describeCluster().nodes().get().stream().map(Node::id).collect(Collectors.toSet());
        }
    }

    /** The ports at which a kind of client finds the brokers. */
    private static Set<Integer> ports(String client, KraftCluster cluster) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrap(client)))) {
            return admin.describeCluster().nodes().get().stream()
                    .map(Node::port)
                    .collect(Collectors.toSet());
        }
    }

    private static void createTopic(KraftCluster cluster) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrap(KraftCluster.OWNER)))) {
            admin.createTopics(List.of(new NewTopic("kept", 3, (short) 3)))
                    .all()
                    .get();
        }
    }

    /** Acknowledged by all that are in sync. */
    private static void write(KraftCluster cluster, int value) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", cluster.bootstrap("GUEST"), "acks", "all");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            byte[] bytes = Integer.toString(value).getBytes(StandardCharsets.UTF_8);
            for (int partition = 0; partition < 3; partition++) {
                producer.send(new ProducerRecord<>("kept", partition, bytes, bytes))
                        .get(SOON.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }
}
