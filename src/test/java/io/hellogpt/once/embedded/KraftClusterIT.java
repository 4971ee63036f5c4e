package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    @Test
    void eachKindOfClientIsToldItsOwnDoorsAndALostBrokerIsSurvived() throws Exception {
        Set<String> asked = ConcurrentHashMap.newKeySet();
        KraftCluster cluster = KraftCluster.create(dir, 3, List.of("GUEST"), (client, broker, port) -> {
            asked.add(client + broker);
            return port;
        });
        try {
            Stack.all(cluster.brokers().stream()
                    .<Runnable>map(broker -> broker::start)
                    .toArray(Runnable[]::new));

            assertThat(asked).contains("GUEST1", "GUEST2", "GUEST3", "BROKERS1", "BROKERS2", "BROKERS3");
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
        } finally {
            cluster.brokers().forEach(ClusterBroker::kill);
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
