package io.hellogpt.once.ops;

import io.hellogpt.once.api.Health;
import io.hellogpt.once.api.RequestLookup;
import io.hellogpt.once.model.Gateway;
import io.hellogpt.once.model.GatewayMeters;
import io.hellogpt.once.model.Journal;
import io.hellogpt.once.ops.http.InstanceApi;
import io.hellogpt.once.ops.meters.LagMeters;
import io.hellogpt.once.ops.meters.OpenWorkMeters;
import io.hellogpt.once.ops.tracing.Tracing;
import io.hellogpt.once.topology.Topics;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one owner of an instance: starts its parts, ends them in order, and knows how it ended.
 *
 * <pre>
 * STARTING -> RUNNING -> DRAINING -> STOPPED
 *     |          |           |
 *     `----------`-----------`----> FAILED
 * </pre>
 *
 * A stop drains running model calls first, while the stream goes on recording their answers; then the stream closes and its tasks
 * hand over what still runs; then gateway and journal close. Safe for use by several threads.
 */
public final class OnceRunner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OnceRunner.class);
    private static final Duration STREAMS_CLOSE = Duration.ofSeconds(30);

    private final OnceConfig config;
    private final AtomicReference<State> state = new AtomicReference<>(State.STARTING);
    private final CompletableFuture<ExitCode> end = new CompletableFuture<>();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Journal journal;
    private final Gateway gateway;
    private final InstanceApi server;
    private final Tracing tracing;
    private final MeasuredStreams streams;
    private final KafkaStreamsMetrics streamsMetrics;
    private final OpenWorkMeters openWork;
    private final ReconciliationJob reconciliation;

    /** The states of the process. */
    public enum State {
        STARTING,
        RUNNING,
        /** Stopping: no new model calls; running ones may end. */
        DRAINING,
        STOPPED,
        FAILED
    }

    /** @param opened what is opened here, also when this constructor throws */
    OnceRunner(OnceConfig config, int partitions, Opened opened) {
        this.config = config;
        OnceParts parts = new OnceParts(config, meters, Clock.systemUTC());
        this.journal = opened.add(parts.journal());
        this.gateway = opened.add(parts.gateway(journal));
        AtomicReference<Supplier<Health>> health = new AtomicReference<>(OnceRunner::stillStarting);
        this.server = opened.add(new InstanceApi(
                config,
                partitions,
                new InstanceApi.About(() -> health.get().get(), meters::scrape, meters),
                Clock.systemUTC()));
        HostInfo self = new HostInfo(reachableName(config.text(Settings.HTTP_HOST)), server.port());
        this.tracing = opened.add(parts.tracing(gateway.instance()));
        this.streams = opened.add(
                parts.streams(parts.topology(gateway, partitions, tracing), self.host() + ":" + self.port()));
        health.set(new HealthSource(state::get, streams::state, gateway::status));
        RequestLookup stores = server.attach(streams, self, gateway::status);
        this.streamsMetrics = opened.add(new KafkaStreamsMetrics(streams));
        Clock clock = Clock.systemUTC();
        this.openWork = opened.add(
                new OpenWorkMeters(new OpenWorkSource(streams, config.protocol().outcomeTimeout(), clock), clock));
        this.reconciliation = opened.add(new ReconciliationJob(
                config, () -> activePartitions(streams), stores::find, new ReconciliationMeters(meters, clock), clock));
        bindMeters();
    }

    /** The pages answer a moment before the parts they speak of are there. */
    private static Health stillStarting() {
        return new Health(true, false, State.STARTING.name(), List.of("the instance is starting"), Map.of());
    }

    /**
     * Checks the topics and starts. When it throws, nothing of it runs on.
     *
     * @throws TopicsNotReady when a topic is missing or set up differently; nothing was started
     * @throws ConfigError when a part refuses its settings
     * @throws org.apache.kafka.common.KafkaException when the cluster cannot be reached
     */
    public static OnceRunner start(OnceConfig config) {
        int partitions = requireTopics(config);
        config.warnings().forEach(warning -> LOG.warn("event=questionable_configuration detail=\"{}\"", warning));
        Opened opened = new Opened();
        try {
            OnceRunner runner = new OnceRunner(config, partitions, opened);
            runner.begin();
            return runner;
        } catch (IllegalArgumentException refused) {
            opened.closeAfter(refused);
            throw new ConfigError(refused.getMessage(), refused);
        } catch (RuntimeException failed) {
            opened.closeAfter(failed);
            throw failed;
        }
    }

    private static int requireTopics(OnceConfig config) {
        try (TopicAdmin topics = new TopicAdmin(config.admin(), TopicCatalogue.standard())) {
            List<TopicAdmin.Difference> differences = topics.check();
            if (!differences.isEmpty()) {
                throw new TopicsNotReady(differences);
            }
            topics.brokerWarning().ifPresent(warning -> LOG.warn("event=questionable_brokers detail=\"{}\"", warning));
            return topics.partitions(Topics.REQUESTS);
        }
    }

    private void begin() {
        streams.setStateListener((now, before) -> {
            if (now == KafkaStreams.State.RUNNING && state.compareAndSet(State.STARTING, State.RUNNING)) {
                LOG.info("event=running instance={} http_port={}", gateway.instance(), server.port());
            } else if (now == KafkaStreams.State.ERROR) {
                // A stop from here would wait for the very thread that reports the error.
                Thread.ofPlatform().name("once-failed").start(() -> stop(ExitCode.STREAMS_FAILED));
            }
        });
        LOG.info("event=starting instance={} http_port={}", gateway.instance(), server.port());
        streams.start();
        openWork.start();
        reconciliation.start();
    }

    public State state() {
        return state.get();
    }

    /** Where the HTTP API is served. */
    public int httpPort() {
        return server.port();
    }

    /** Waits for the end, whoever brings it about. */
    public ExitCode awaitEnd() throws InterruptedException {
        return Interruptible.get(end);
    }

    /** Drains, closes everything in order and says how it went. A second call waits for the first one's end. */
    public ExitCode stop() {
        return stop(ExitCode.OK);
    }

    @Override
    public void close() {
        stop();
    }

    private ExitCode stop(ExitCode cause) {
        State before = state.getAndUpdate(now -> isEnding(now) ? now : State.DRAINING);
        if (isEnding(before)) {
            return end.join();
        }
        LOG.info(
                "event=draining cause={} running_calls={}",
                cause,
                gateway.status().running());
        ExitCode outcome = ExitCode.INTERNAL;
        try {
            server.drain();
            boolean drained = drain();
            reconciliation.close();
            openWork.close();
            streams.close(CloseOptions.timeout(STREAMS_CLOSE)
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
            gateway.close();
            journal.close();
            tracing.close();
            streamsMetrics.close();
            server.close();
            outcome = cause == ExitCode.OK && !drained ? ExitCode.STOP_TIMED_OUT : cause;
        } finally {
            state.set(outcome == ExitCode.OK || outcome == ExitCode.STOP_TIMED_OUT ? State.STOPPED : State.FAILED);
            LOG.info("event=ended state={} exit={}", state.get(), outcome);
            end.complete(outcome);
        }
        return outcome;
    }

    private boolean drain() {
        try {
            return gateway.drain(config.duration(Settings.SHUTDOWN_DRAIN_TIMEOUT));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean isEnding(State state) {
        return switch (state) {
            case STARTING, RUNNING -> false;
            case DRAINING, STOPPED, FAILED -> true;
        };
    }

    private void bindMeters() {
        new JvmMemoryMetrics().bindTo(meters);
        new JvmThreadMetrics().bindTo(meters);
        new ClassLoaderMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
        new UptimeMetrics().bindTo(meters);
        new GatewayMeters(gateway).bindTo(meters);
        streamsMetrics.bindTo(meters);
        openWork.bindTo(meters);
        new LagMeters(streams::metrics).bindTo(meters);
    }

    private static Set<Integer> activePartitions(KafkaStreams streams) {
        return streams.metadataForLocalThreads().stream()
                .flatMap(thread -> thread.activeTasks().stream())
                .flatMap(task -> task.topicPartitions().stream())
                .map(TopicPartition::partition)
                .collect(Collectors.toSet());
    }

    /** The name other instances are given for this one's address. */
    private static String reachableName(String host) {
        Objects.requireNonNull(host, "host");
        if (!host.equals("0.0.0.0") && !host.equals("::")) {
            return host;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            throw new ConfigError(
                    "this machine has no host name that could be told to other instances; set " + Settings.HTTP_HOST
                            + " to an address they can reach",
                    nameless);
        }
    }
}
