package io.hellogpt.once.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** One instance of the application, as {@code once run} runs it. Started again it finds its stores where it left them. */
public final class OnceInstance extends ChildPart {
    /** The command's class, by name: this package knows nothing of it. */
    static final String COMMAND = "io.hellogpt.once.cli.Once";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(90);

    private final String name;
    private final Path workDir;
    private final Path settings;
    private final int port = FreePorts.next();
    private final Map<String, String> environment;

    private OnceInstance(String name, Path workDir, Map<String, String> environment) {
        this.name = name;
        this.workDir = workDir;
        this.settings = workDir.resolve(name + ".properties");
        this.environment = environment;
    }

    /**
     * Writes an instance's settings; {@link #start} comes next.
     *
     * @param shared settings it has in common with the others
     */
    static OnceInstance create(String name, Path workDir, Map<String, String> shared) {
        return create(name, workDir, shared, Map.of());
    }

    /**
     * The same in an environment of its own.
     *
     * @param values settings; a port and, where they name none, a state directory are added
     * @param environment variables of its process
     */
    public static OnceInstance create(
            String name, Path workDir, Map<String, String> values, Map<String, String> environment) {
        OnceInstance instance = new OnceInstance(name, workDir, environment);
        Properties all = new Properties();
        all.put("state.dir", instance.state().toString());
        all.putAll(values);
        all.put("http.port", Integer.toString(instance.port));
        try (Writer out = Files.newBufferedWriter(instance.settings)) {
            Files.createDirectories(instance.temporary());
            all.store(out, null);
        } catch (IOException e) {
            throw new EmbeddedException("the settings of " + name + " could not be written", e);
        }
        return instance;
    }

    /** Where health, metrics and request states are served. */
    @Override
    public String address() {
        return "http://127.0.0.1:" + port;
    }

    /** The properties file it runs with. */
    public Path settings() {
        return settings;
    }

    @Override
    ChildSpec spec() {
        return ChildSpec.of(
                        name,
                        COMMAND,
                        List.of("run", "--config", settings.toString()),
                        ChildSpec.jvm(64, 384, "--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + temporary()),
                        workDir.resolve("logs").resolve(name + ".log"))
                .with(environment);
    }

    @Override
    void awaitReady(ChildProcess child) {
        URI ready = health();
        child.awaitReady(ready.toString(), READY_TIMEOUT, () -> Probes.accepts(port) && Probes.succeeds(ready));
    }

    /** Model calls it has running at this moment, by its own account; 0 when it does not answer. */
    int runningCalls() {
        return figure("model_calls_running");
    }

    /** Answers it has received and not yet journaled, by its own account; 0 when it does not answer. */
    int answersAwaitingJournal() {
        return figure("answers_awaiting_journal");
    }

    /** How often its stream threads have punctuated their tasks; 0 when it does not say so. */
    int punctuations() {
        return Probes.text(URI.create(address() + "/metrics")).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("kafka_stream_thread_punctuate_total{"))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** Whether its health page names a state. */
    boolean says(String state) {
        return Probes.text(health()).filter(page -> page.contains(state)).isPresent();
    }

    private int figure(String name) {
        return Probes.text(health())
                .map(OnceInstance::json)
                .map(health -> health.path(name).asInt())
                .orElse(0);
    }

    /** RocksDB unpacks its library at each start, and a process that is killed leaves it behind. */
    private Path temporary() {
        return workDir.resolve("tmp");
    }

    /** Where its stores are. */
    Path state() {
        return workDir.resolve(name).resolve("state");
    }

    private URI health() {
        return URI.create(address() + "/health/ready");
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new EmbeddedException("an instance's health page is not JSON", e);
        }
    }
}
