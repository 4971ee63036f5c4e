package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.EmbeddedException;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A producer that is librdkafka: the program kcat, which sends each line it is given. For one thread. */
final class KcatProducer implements AutoCloseable {
    private static final String PROGRAM = "kcat";
    private static final long END_SECONDS = 60;

    private final Process process;
    private final OutputStream lines;

    private KcatProducer(Process process) {
        this.process = process;
        this.lines = process.getOutputStream();
    }

    static boolean isInstalled() {
        return Commands.has(PROGRAM);
    }

    static KcatProducer start(String brokers, Path log) {
        try {
            return new KcatProducer(new ProcessBuilder(List.of(
                            PROGRAM, "-P", "-b", brokers, "-t", Topics.REQUESTS, "-K", "\\t", "-X", "linger.ms=5"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start());
        } catch (IOException e) {
            throw new EmbeddedException("kcat could not be started", e);
        }
    }

    /** @param value must hold no line break, as canonical JSON does not */
    void send(String key, byte[] value) {
        try {
            lines.write((key + "\t").getBytes(StandardCharsets.UTF_8));
            lines.write(value);
            lines.write('\n');
            lines.flush();
        } catch (IOException e) {
            throw new EmbeddedException("kcat has ended", e);
        }
    }

    /** Ends it when it has delivered everything, or has had time to. */
    @Override
    public void close() {
        try {
            lines.close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
