package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.ChildProcess;
import io.hellogpt.once.embedded.ChildSpec;
import io.hellogpt.once.embedded.FreePorts;
import io.hellogpt.once.embedded.Probes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A process that is measured. Started again after a kill, it finds its stores where it left them. */
final class Subject implements AutoCloseable {
    static final Duration READY = Duration.ofMinutes(5);
    private static final List<String> JVM =
            List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC", "--enable-native-access=ALL-UNNAMED");

    /** Options of the measured processes besides theirs, {@code %n} standing for the name: a profile, for example. */
    private static final String MORE_OPTIONS = System.getProperty("once.bench.jvm", "");

    /** Settings of every instance besides, {@code name=value} separated by blanks or semicolons: to see what one of them does. */
    private static final String MORE_SETTINGS = System.getProperty("once.bench.settings", "");

    private static final Duration PROFILED = Duration.ofSeconds(60);

    private final ChildSpec spec;
    private final URI health;
    private final Path state;
    private ChildProcess process;

    private Subject(ChildSpec spec, URI health, Path state) {
        this.spec = spec;
        this.health = health;
        this.state = state;
    }

    static Subject once(Path dir, String name, String brokers, Map<String, String> settings) {
        int port = FreePorts.next();
        Properties all = new Properties();
        all.put("bootstrap.servers", brokers);
        all.put("application.id", name);
        all.put("state.dir", dir.resolve(name).resolve("state").toString());
        all.put("model.client", "simulated");
        all.put("billing.enabled", "false");
        all.put("http.port", Integer.toString(port));
        all.putAll(settings);
        Stream.of(MORE_SETTINGS.split("[ ;]"))
                .filter(each -> each.contains("="))
                .forEach(each -> {
                    int equals = each.indexOf('=');
                    all.put(each.substring(0, equals), each.substring(equals + 1));
                });
        Path file = dir.resolve(name + ".properties");
        try (Writer out = Files.newBufferedWriter(file)) {
            all.store(out, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ChildSpec spec = ChildSpec.of(
                name,
                "io.hellogpt.once.cli.Once",
                List.of("run", "--config", file.toString()),
                jvm(name),
                log(dir, name));
        return new Subject(
                spec, URI.create("http://127.0.0.1:" + port), dir.resolve(name).resolve("state"));
    }

    static Subject bare(Path dir, String name, List<String> arguments) {
        List<String> all = new ArrayList<>(arguments);
        all.add(dir.resolve(name).resolve("state").toString());
        ChildSpec spec = ChildSpec.of(name, BarePassThrough.class.getName(), all, jvm(name), log(dir, name));
        return new Subject(
                spec, URI.create("http://127.0.0.1"), dir.resolve(name).resolve("state"));
    }

    private static List<String> jvm(String name) {
        List<String> all = new ArrayList<>(JVM);
        for (String option : MORE_OPTIONS.isBlank() ? new String[0] : MORE_OPTIONS.split(" ")) {
            all.add(option.replace("%n", name));
        }
        return all;
    }

    private static Path log(Path dir, String name) {
        return dir.resolve("logs").resolve(name + ".log");
    }

    /** Starts it and returns at once. */
    Subject launch() {
        process = ChildProcess.start(spec);
        return this;
    }

    /** Starts it and returns when it takes part: every partition assigned, every store restored. */
    Subject start() {
        launch();
        awaitReady();
        return this;
    }

    /** Returns at once for what says nothing of itself. */
    void awaitReady() {
        if (health.getPort() < 0) {
            return;
        }
        URI ready = health.resolve("/health/ready");
        process.awaitReady(ready.toString(), READY, () -> Probes.accepts(health.getPort()) && Probes.succeeds(ready));
    }

    /** The metrics page. */
    String metrics() {
        return Probes.text(health.resolve("/metrics")).orElse("");
    }

    /** Its name; of an instance that was given no other, the application.id too. */
    String name() {
        return spec.name();
    }

    /** Where its stores are. */
    Path state() {
        return state;
    }

    /** What its stores take on disk. */
    long stateBytes() throws IOException {
        AtomicLong bytes = new AtomicLong();
        Files.walkFileTree(state, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                bytes.addAndGet(attributes.size());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                // RocksDB replaces files as it likes.
                return FileVisitResult.CONTINUE;
            }
        });
        return bytes.get();
    }

    /** SIGTERM, and what follows from it: no transaction is left open. */
    void stop() {
        process.stop(READY);
    }

    /** SIGSTOP: it stays, and does nothing. */
    void pause() {
        process.pause();
    }

    /** SIGCONT: it goes on as if nothing had been. */
    void resume() {
        process.resume();
    }

    long pid() {
        return process.pid();
    }

    void kill() {
        process.kill();
    }

    /** Processor time it has used, in seconds. */
    double cpuSeconds() {
        return ProcessHandle.of(process.pid())
                .flatMap(handle -> handle.info().totalCpuDuration())
                .map(used -> used.toNanos() / 1e9)
                .orElse(0.0);
    }

    /** Resident memory in megabytes, as the operating system counts it; 0 where it does not say. */
    double residentMegabytes() {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        try {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException elsewhere) {
            return 0;
        }
    }

    @Override
    public void close() {
        if (process != null && !MORE_OPTIONS.isBlank()) {
            // A profile is written at an orderly end.
            process.stop(PROFILED);
        } else if (process != null) {
            // What is in flight is of no use to anybody.
            process.kill();
        }
    }
}
