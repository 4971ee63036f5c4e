package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.EmbeddedException;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A producer that is librdkafka: the program kcat, which sends each line it is given. When it has ended, another one is started for the
 * next line; what the first one had not delivered was never sent. Lines are for one thread, signals for any.
 */
final class KcatProducer implements AutoCloseable {
    private static final String PROGRAM = "kcat";
    private static final long END_SECONDS = 60;

    private final String brokers;
    private final Path log;
    private volatile Process process;
    private volatile long sent;

    private KcatProducer(String brokers, Path log) {
        this.brokers = brokers;
        this.log = log;
        this.process = launch();
    }

    static boolean isInstalled() {
        return Commands.has(PROGRAM);
    }

    static KcatProducer start(String brokers, Path log) {
        return new KcatProducer(brokers, log);
    }

    private Process launch() {
        try {
            return new ProcessBuilder(List.of(
                            PROGRAM, "-P", "-b", brokers, "-t", Topics.REQUESTS, "-K", "\\t", "-X", "linger.ms=5"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new EmbeddedException("kcat could not be started", e);
        }
    }

    /**
     * Hands over a record.
     *
     * @param value must hold no line break, as canonical JSON does not
     * @throws EmbeddedException if kcat ends as soon as it is started
     */
    void send(String key, byte[] value) {
        try {
            write(key, value);
        } catch (IOException ended) {
            process = launch();
            try {
                write(key, value);
            } catch (IOException again) {
                throw new EmbeddedException("kcat does not stay, see " + log, again);
            }
        }
        sent++;
    }

    private void write(String key, byte[] value) throws IOException {
        OutputStream lines = process.getOutputStream();
        lines.write((key + "\t").getBytes(StandardCharsets.UTF_8));
        lines.write(value);
        lines.write('\n');
        lines.flush();
    }

    /** Records handed to it so far. */
    long sent() {
        return sent;
    }

    long pid() {
        return process.pid();
    }

    void kill() {
        process.destroyForcibly();
    }

    void terminate() {
        process.destroy();
    }

    void pause() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    /** One that has ended meanwhile needs none. */
    private void signal(String name) {
        Commands.run(List.of("/bin/sh", "-c", "kill -" + name + " " + pid()));
    }

    /** Ends it when it has delivered everything, or has had time to. */
    @Override
    public void close() {
        Process last = process;
        try {
            last.getOutputStream().close();
            if (!last.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                last.destroyForcibly();
            }
        } catch (IOException e) {
            last.destroyForcibly();
        } catch (InterruptedException e) {
            last.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
