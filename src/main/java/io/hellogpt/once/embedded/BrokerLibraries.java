package io.hellogpt.once.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * The code that brokers run, which is another version than the clients': brokers of Kafka 4.3.0 to 4.4.0 take a partition that has no
 * leader for a deleted one when a transaction ends, and leave it out. What is open there ends as the producer's next transaction does,
 * aborted or not, or never. Exactly-once cannot be built on that.
 */
final class BrokerLibraries {
    /** What storage is formatted for; one of the version below. */
    static final MetadataVersion RELEASE = MetadataVersion.IBP_4_2_IV1;

    private static final String DIRECTORY = "once.broker.libraries";

    private BrokerLibraries() {}

    /**
     * A classpath with the brokers' Kafka, whatever else Kafka needs, and {@link ChildMain}.
     *
     * @param dir where to put what has to be copied
     * @throws EmbeddedException if nothing says where the brokers' Kafka is, or it is not there
     */
    static String classpath(Path dir) {
        Stream<String> others = Arrays.stream(ChildSpec.ownClasspath().split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar"))
                .filter(entry -> !isKafka(Path.of(entry).getFileName().toString()));
        return Stream.of(Stream.of(ChildFiles.childMain(dir).toString()), kafka(), others)
                .flatMap(entries -> entries)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isKafka(String jar) {
        return jar.startsWith("kafka") || jar.startsWith("connect-");
    }

    private static Stream<String> kafka() {
        String directory = System.getProperty(DIRECTORY);
        if (directory == null) {
            throw new EmbeddedException(DIRECTORY + " does not say where the brokers' libraries are; bin/once does");
        }
        try (Stream<Path> jars = Files.list(Path.of(directory))) {
            return jars.map(jar -> jar.toAbsolutePath().toString()).sorted().toList().stream();
        } catch (IOException e) {
            throw new EmbeddedException("the brokers' libraries in " + directory + " could not be listed", e);
        }
    }
}
