package io.hellogpt.once.embedded;

import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.TopicAdmin;
import io.hellogpt.once.ops.TopicCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Everything a request meets, on one machine: broker, topics, database, Connect worker with the connector, simulated model and receivers,
 * and instances of the application, each part a process of its own on loopback. Closing it ends all of them; so does the end of this JVM.
 *
 * <p>Parts may be stopped, killed and started again, one thread at a time per part.
 */
public final class Stack implements AutoCloseable {
    /** Blocking work, one thread each: starting a part is mostly waiting. */
    private static final Executor EACH =
            task -> Thread.ofVirtual().name("stack").start(task);

    private final StackSettings settings;
    private final StackDirectory directory;
    private final EmbeddedBroker broker;
    private final EmbeddedDatabase database;
    private final SimulatorPart model;
    private final SimulatorPart receivers;
    private final EmbeddedConnectWorker worker;
    private final List<OnceInstance> instances;

    private Stack(StackSettings settings, StackDirectory directory) {
        Path dir = directory.path();
        this.settings = settings;
        this.directory = directory;
        this.broker = EmbeddedBroker.create(dir);
        this.database = EmbeddedDatabase.create(dir);
        this.model = SimulatorPart.model(dir, settings);
        this.receivers = SimulatorPart.receivers(dir);
        this.worker = EmbeddedConnectWorker.create(dir, broker.address(), EffectConnector.plugins());
        Map<String, String> shared = shared();
        this.instances = IntStream.rangeClosed(1, settings.instances())
                .mapToObj(number -> OnceInstance.create("instance-" + number, dir, shared))
                .toList();
    }

    /**
     * Prepares a stack; {@link #start} comes next.
     *
     * @param dir is emptied first; keeps data and logs afterwards
     * @throws EmbeddedException if the directory is in use or holds files no stack has left there, or the connector is not built
     */
    public static Stack create(Path dir, StackSettings settings) {
        EffectConnector.plugins();
        StackDirectory directory = StackDirectory.take(dir);
        try {
            return new Stack(settings, directory);
        } catch (RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /**
     * Starts everything and returns when all of it is ready.
     *
     * @param progress is told what is being waited for
     * @throws EmbeddedException if a part does not get ready; {@link #close} ends what was started
     */
    public void start(Consumer<String> progress) {
        progress.accept("starting broker, database, model and receivers");
        all(broker::start, database::start, model::start, receivers::start);
        progress.accept("starting Connect worker and " + settings.instances() + " instances");
        createTopics();
        startApplication();
    }

    /** Whether this process has been told to end: its children are ending then, and their failures mean nothing. */
    public static boolean isProcessEnding() {
        return LiveChildren.isEnding();
    }

    public StackSettings settings() {
        return settings;
    }

    public Path directory() {
        return directory.path();
    }

    public EmbeddedBroker broker() {
        return broker;
    }

    public EmbeddedDatabase database() {
        return database;
    }

    public EmbeddedConnectWorker worker() {
        return worker;
    }

    public List<OnceInstance> instances() {
        return instances;
    }

    /** Where every part's log is. */
    public Path logs() {
        return directory().resolve("logs");
    }

    /** The simulated model's server. */
    public EmbeddedPart model() {
        return model;
    }

    /** The simulated receivers' server. */
    public EmbeddedPart receivers() {
        return receivers;
    }

    /** The model's own log of calls, as a verifier reads it. */
    public Path modelLog() {
        return model.calls();
    }

    /** The receivers' own log, as a verifier reads it. */
    public Path receiversLog() {
        return receivers.calls();
    }

    /** A configuration that reaches this stack, for clients. */
    public OnceConfig config() {
        return OnceConfig.of(shared());
    }

    /** Waits until the connector and all its tasks run, after the worker was started again. */
    public void awaitConnector() {
        worker.awaitRunning(EffectConnector.NAME);
    }

    /**
     * Tells of every part that ends from now on while this process goes on.
     *
     * @param tell is called on another thread, with what ended and where its log is
     */
    public void watch(Consumer<String> tell) {
        Stream.concat(Stream.of(broker, database, model, receivers, worker), instances.stream())
                .forEach(part -> part.child()
                        .ifPresent(child -> child.whenEnded(() -> {
                            if (!isProcessEnding()) {
                                tell.accept(child.ending());
                            }
                        })));
    }

    /** Ends the application before what it needs, so that it can drain. */
    @Override
    public void close() {
        try (directory) {
            all(instances.stream().<Runnable>map(instance -> instance::close).toArray(Runnable[]::new));
            worker.close();
            all(model::close, receivers::close, database::close, broker::close);
        }
    }

    private void createTopics() {
        OnceConfig config = config();
        try (TopicAdmin topics = new TopicAdmin(config.admin(), TopicCatalogue.standard())) {
            topics.create(settings.partitions(), 1);
        }
    }

    private void startApplication() {
        Runnable connector = () -> {
            worker.start();
            worker.run(
                    EffectConnector.NAME,
                    EffectConnector.config(broker.address(), database.address(), receivers.address()));
        };
        all(Stream.concat(Stream.of(connector), instances.stream().map(instance -> instance::start))
                .toArray(Runnable[]::new));
    }

    private Map<String, String> shared() {
        Map<String, String> shared = new TreeMap<>();
        shared.put("bootstrap.servers", broker.address());
        shared.put("model.client", "openai");
        shared.put("model.openai.base.url", model.address() + "/v1");
        shared.put("model.openai.api.key.file", apiKey().toString());
        shared.put("model.openai.provider", "simulated");
        // The simulated model takes any number; the default would cap the stack at some sixty requests a second.
        shared.put("model.max.in.flight", "1000");
        shared.put("num.stream.threads", "1");
        // Half the transactions of the default: they are most of what a broker that shares two cores has to do.
        shared.put("commit.interval.ms", "200");
        // Within the time a child is given to stop; the simulated model answers sooner.
        shared.put("shutdown.drain.timeout", "25s");
        // A killed instance's partitions go to the others after this long, not after the default 45 s.
        shared.put("kafka.consumer.session.timeout.ms", "6000");
        shared.put("kafka.consumer.heartbeat.interval.ms", "1500");
        // So that whatever happens here can be captured and replayed.
        shared.put("replay.recording", "true");
        // Often enough to be watched while one tries to break something.
        shared.put("reconcile.interval", "15s");
        shared.put("reconcile.window", "2m");
        shared.put("reconcile.grace", "20s");
        shared.put("reconcile.ledger.url", database.address());
        shared.put("rocksdb.block.cache.bytes", Integer.toString(32 << 20));
        shared.put("rocksdb.write.buffer.bytes", Integer.toString(16 << 20));
        return shared;
    }

    /** The simulated model takes any key. */
    private Path apiKey() {
        Path file = directory.path().resolve("api-key");
        try {
            return Files.writeString(file, "simulated\n");
        } catch (IOException e) {
            throw new EmbeddedException("the key in " + file + " could not be written", e);
        }
    }

    /**
     * Runs all at the same time and waits for all.
     *
     * @throws EmbeddedException the first failure, when all have ended
     */
    static void all(Runnable... tasks) {
        CompletableFuture<?>[] running = Stream.of(tasks)
                .map(task -> CompletableFuture.runAsync(task, EACH))
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(running).join();
        } catch (CompletionException e) {
            throw new EmbeddedException(e.getCause().getMessage(), e.getCause());
        }
    }
}
