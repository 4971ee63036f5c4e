package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;

/**
 * Fills an instance's stores with as many ended requests as a busy week leaves behind. One real request is sent through; what it has
 * left in the changelogs is then written again under other ids, and the instance restores all of it. So every entry has the bytes a
 * real one has, and two million take minutes instead of an hour.
 */
final class Entries {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String FORM = "entry-%09d";
    private static final byte[] MODEL = bytes(0);

    private Entries() {}

    /** A record of a changelog. */
    private record Kept(String topic, byte[] key, byte[] value) {}

    /**
     * Fills the stores of an instance that was never started, and leaves it running.
     *
     * @return how long restoring took
     */
    static Duration fill(Lab lab, Subject instance, int count) throws InterruptedException, IOException {
        try (Arrived arrived = Arrived.in(lab.client(), Topics.COMMITTED_RESULTS)) {
            Load.send(lab.client(), "entry-00000000", 0, 1, 1, Load.Kind.PLAIN);
            instance.start();
            arrived.await(1, PATIENCE);
        }
        instance.stop();
        List<Kept> kept = left(lab, instance.name());
        write(lab, kept, count);
        delete(instance.state());
        long start = System.nanoTime();
        instance.start();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** What stands in the changelogs of the one request: the last value of each key, if it was not deleted. */
    private static List<Kept> left(Lab lab, String application) {
        Map<List<Object>, Kept> last = new LinkedHashMap<>();
        try (CommittedReader reader = new CommittedReader(lab.client().reader())) {
            for (String topic : lab.topics(name -> name.startsWith(application + "-") && name.endsWith("-changelog"))) {
                reader.readAll(reader.partitions(topic), record -> {
                    List<Object> key = List.of(topic, Bytes.wrap(record.key()));
                    last.remove(key);
                    if (record.value() != null) {
                        last.put(key, new Kept(topic, record.key(), record.value()));
                    }
                });
            }
        }
        List<Kept> kept = last.values().stream()
                .filter(each -> indexOf(each.key(), MODEL) >= 0)
                .toList();
        if (kept.isEmpty()) {
            throw new IllegalStateException("the request has left nothing in the changelogs of " + application);
        }
        return kept;
    }

    private static void write(Lab lab, List<Kept> kept, int count) {
        Properties config = lab.client().producer();
        config.put(ProducerConfig.LINGER_MS_CONFIG, 50);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, 512 * 1024);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int number = 1; number < count; number++) {
                byte[] id = bytes(number);
                int partition = Utils.toPositive(Utils.murmur2(id)) % Lab.PARTITIONS;
                for (Kept each : kept) {
                    producer.send(new ProducerRecord<>(
                            each.topic(), partition, renamed(each.key(), id), renamed(each.value(), id)));
                }
            }
        }
    }

    /** The same bytes under another id of the same length. */
    private static byte[] renamed(byte[] bytes, byte[] id) {
        byte[] renamed = bytes.clone();
        for (int at = indexOf(renamed, MODEL); at >= 0; at = indexOf(renamed, MODEL)) {
            System.arraycopy(id, 0, renamed, at, id.length);
        }
        return renamed;
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int at = 0; at <= bytes.length - part.length; at++) {
            if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        return -1;
    }

    private static byte[] bytes(int number) {
        return FORM.formatted(number).getBytes(StandardCharsets.UTF_8);
    }

    private static void delete(Path dir) throws IOException {
        List<Path> all = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(dir)) {
            walk.sorted(Comparator.reverseOrder()).forEach(all::add);
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
