package io.hellogpt.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.client.Kcat;
import io.hellogpt.once.docs.Readme.Block;
import io.hellogpt.once.embedded.Stack;
import io.hellogpt.once.embedded.StackSettings;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs what README.md says can be run, in its order, against a stack as {@code make up} starts it. */
class ReadmeIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    static Path directory;

    private static Stack stack;

    @BeforeAll
    static void startStack() {
        Kcat.assumeInstalled("ReadmeIT");
        stack = Stack.create(directory.resolve("up"), StackSettings.STANDARD);
        stack.start(step -> {});
    }

    @AfterAll
    static void stopStack() {
        if (stack != null) {
            stack.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> everyRunnableBlockDoesWhatItIsSaidToDo() {
        return Readme.read().runnable().stream()
                .map(block -> DynamicTest.dynamicTest(block.title(), () -> {
                    if (block.later()) {
                        inAMoment(block);
                    } else {
                        atOnce(block);
                    }
                }));
    }

    private static void atOnce(Block block) throws Exception {
        Path output = Files.createTempFile(directory, "block", ".out");
        Process process = start(block, output);
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("ended in time")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(() -> read(output)).isZero();
        assertThat(block.shows()).allSatisfy(shown -> assertThat(read(output)).contains(shown));
    }

    private static void inAMoment(Block block) throws Exception {
        switch (block.language()) {
            case "sh" ->
                Awaitility.await()
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofSeconds(1))
                        .untilAsserted(() -> atOnce(block));
            case "java" -> untilShown(block);
            default -> throw new AssertionError(block.language());
        }
    }

    /** For code that goes on for ever. */
    private static void untilShown(Block block) throws Exception {
        Path output = Files.createTempFile(directory, "block", ".out");
        Process process = start(block, output);
        try {
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(read(output)).contains(block.shows());
                assertThat(process.isAlive()).isTrue();
            });
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static Process start(Block block, Path output) throws IOException {
        // A file, not an argument: pgrep -f would find the shell by the pattern in its own command line.
        ProcessBuilder builder = new ProcessBuilder(block.language().equals("sh") ? shell(block) : java(block));
        builder.environment().put("KAFKA", stack.broker().address());
        builder.environment().put("ONCE", stack.instances().getFirst().address());
        builder.environment().put("LEDGER", stack.database().address());
        builder.environment().put("ONCE_JAVA_HOME", System.getProperty("java.home"));
        return builder.redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile())
                .start();
    }

    private static List<String> shell(Block block) throws IOException {
        String here = block.code().replace("target/up", stack.directory().toString());
        Path script = Files.writeString(Files.createTempFile(directory, "block", ".sh"), here);
        return List.of("sh", "-e", script.toString());
    }

    private static List<String> java(Block block) throws IOException {
        Path source = Files.createTempDirectory(directory, "block").resolve("Snippet.java");
        Files.writeString(source, """
                import io.hellogpt.once.schema.RecordJson;
                import java.time.Duration;
                import java.util.List;
                import java.util.Map;
                import org.apache.kafka.clients.consumer.KafkaConsumer;
                import org.apache.kafka.clients.producer.KafkaProducer;
                import org.apache.kafka.clients.producer.ProducerRecord;
                import org.apache.kafka.common.serialization.ByteArrayDeserializer;
                import org.apache.kafka.common.serialization.StringDeserializer;
                import org.apache.kafka.common.serialization.StringSerializer;

                public class Snippet {
                    public static void main(String[] arguments) throws Exception {
                %s
                    }
                }
                """.formatted(block.code()));
        String classpath = "target/classes" + File.pathSeparator + Files.readString(Path.of("target/classpath.txt"));
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classpath,
                source.toString());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
