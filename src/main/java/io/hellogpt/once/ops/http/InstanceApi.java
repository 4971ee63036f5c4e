package io.hellogpt.once.ops.http;

import io.hellogpt.once.api.ApiServer;
import io.hellogpt.once.api.Endpoint;
import io.hellogpt.once.api.Handler;
import io.hellogpt.once.api.Health;
import io.hellogpt.once.api.InstanceRoutes;
import io.hellogpt.once.api.IntakeGate;
import io.hellogpt.once.api.RequestLookup;
import io.hellogpt.once.api.callback.CallbackRoutes;
import io.hellogpt.once.api.chat.ChatKeys;
import io.hellogpt.once.api.chat.ChatRoutes;
import io.hellogpt.once.api.console.ConsolePages;
import io.hellogpt.once.api.console.OverviewRoutes;
import io.hellogpt.once.api.peer.Forwarding;
import io.hellogpt.once.api.peer.Owners;
import io.hellogpt.once.api.request.CommandRoutes;
import io.hellogpt.once.api.request.Intake;
import io.hellogpt.once.api.request.RequestRoutes;
import io.hellogpt.once.api.request.StreamRoutes;
import io.hellogpt.once.api.request.Submission;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.model.GatewayStatus;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.PolicySet;
import io.hellogpt.once.ops.RequestRules;
import io.hellogpt.once.ops.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP API of an instance: the server and everything it asks. It answers a moment before the stream is there, whose other
 * instances must be told its address; until {@link #attach} look-ups say that the instance is starting.
 */
public final class InstanceApi implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceApi.class);
    private static final Duration OUTLASTS_EVERY_WAIT = Duration.ofSeconds(30);

    private final OnceConfig config;
    private final Clock clock;
    private final AtomicReference<RequestLookup> lookup = new AtomicReference<>(new Starting());
    private final AtomicReference<IntakeGate> gate = new AtomicReference<>(Optional::empty);
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final ApiServer server;
    private volatile boolean on = true;

    /** What the instance says of itself. */
    public record About(Supplier<Health> health, Supplier<String> metrics, MeterRegistry meters) {}

    /**
     * Starts listening.
     *
     * @param partitions of every topic
     * @throws io.hellogpt.once.ops.ConfigError when the settings cannot be used
     */
    public InstanceApi(OnceConfig config, int partitions, About about, Clock clock) {
        this.config = config;
        this.clock = clock;
        try {
            this.server = open(new ApiServer(
                    HttpParts.address(config),
                    HttpParts.limits(config),
                    HttpParts.access(config, clock),
                    handlers(partitions, about),
                    new ConsolePages()));
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** The port it listens on. */
    public int port() {
        return server.port();
    }

    /**
     * The stream is there.
     *
     * @return what finds requests in its stores
     */
    public RequestLookup attach(KafkaStreams streams, HostInfo self, Supplier<GatewayStatus> gateway) {
        int most = config.number(Settings.HTTP_BACKLOG_MAX);
        RequestLookup stores = new StoreLookup(streams, self);
        lookup.set(stores);
        gate.set(new InstanceGate(gateway, new Backlog(streams, most)::count, most));
        return stores;
    }

    private Map<Endpoint, Handler> handlers(int partitions, About about) {
        KafkaRecordLog log = open(new KafkaRecordLog(config.promptProducer(), partitions));
        EventTail feed = open(new EventTail(config.reader(), partitions));
        KafkaAuditLog audit = new KafkaAuditLog(config.reader(), partitions);
        Forwarding forwarding = open(new Forwarding(longestWait().plus(OUTLASTS_EVERY_WAIT)));
        Late late = new Late();
        Owners owners = new Owners(late, forwarding);
        Submission.Reader reader = new Submission.Reader(RequestRules.decoder(config), PolicySet.of(config)::isKnown);
        Intake intake = new Intake(
                owners,
                log,
                feed,
                () -> gate.get().closed(),
                new Intake.Window(config.duration(Settings.DEDUP_RETENTION), clock));
        Map<Endpoint, Handler> handlers = new EnumMap<>(Endpoint.class);
        instance(handlers, about);
        handlers.put(
                Endpoint.OVERVIEW,
                new OverviewRoutes(new Figures(about.meters(), about.health(), clock), late::others, forwarding)
                        ::overview);
        requests(handlers, new RequestRoutes(reader, intake, owners, feed, audit, millis(Settings.HTTP_WAIT_MAX_MS)));
        commands(handlers, new CommandRoutes(intake, log, feed, clock, millis(Settings.HTTP_WAIT_MAX_MS)));
        handlers.put(
                Endpoint.STREAM, new StreamRoutes(audit, config.number(Settings.HTTP_MAX_STREAMS), () -> on)::stream);
        handlers.put(
                Endpoint.CALLBACK,
                new CallbackRoutes(
                                HttpParts.callbacks(config),
                                config.duration(Settings.CALLBACKS_TOLERANCE),
                                owners,
                                log,
                                clock)::callback);
        handlers.put(Endpoint.CHAT, chat(reader, intake, feed)::complete);
        return handlers;
    }

    private static void instance(Map<Endpoint, Handler> handlers, About about) {
        InstanceRoutes routes = new InstanceRoutes(about.health(), about.metrics());
        handlers.put(Endpoint.LIVE, routes::live);
        handlers.put(Endpoint.READY, routes::ready);
        handlers.put(Endpoint.METRICS, routes::metrics);
        handlers.put(Endpoint.OPENAPI, routes::openApi);
    }

    private static void requests(Map<Endpoint, Handler> handlers, RequestRoutes routes) {
        handlers.put(Endpoint.SUBMIT, routes::submit);
        handlers.put(Endpoint.RECENT, routes::recent);
        handlers.put(Endpoint.SHOW, routes::show);
        handlers.put(Endpoint.EVENTS, routes::events);
    }

    private static void commands(Map<Endpoint, Handler> handlers, CommandRoutes routes) {
        handlers.put(Endpoint.RETRY, routes.of(Verb.RETRY));
        handlers.put(Endpoint.CANCEL, routes.of(Verb.CANCEL));
        handlers.put(Endpoint.APPROVE, routes.of(Verb.APPROVE));
        handlers.put(Endpoint.REJECT, routes.of(Verb.REJECT));
        handlers.put(Endpoint.RESOLVE, routes::resolve);
    }

    private ChatRoutes chat(Submission.Reader reader, Intake intake, EventTail feed) {
        return new ChatRoutes(
                reader,
                intake,
                new ChatKeys(millis(Settings.CHAT_DEDUP_WINDOW_MS), feed, clock),
                new ChatRoutes.Terms(config.text(Settings.CHAT_POLICY), millis(Settings.CHAT_WAIT_MAX_MS)));
    }

    private Duration longestWait() {
        return Duration.ofMillis(
                Math.max(config.millis(Settings.HTTP_WAIT_MAX_MS), config.millis(Settings.CHAT_WAIT_MAX_MS)));
    }

    private Duration millis(String setting) {
        return Duration.ofMillis(config.millis(setting));
    }

    private <T extends AutoCloseable> T open(T part) {
        opened.push(part);
        return part;
    }

    /** Ends the streams of events; everything else goes on answering. */
    public void drain() {
        on = false;
    }

    @Override
    public void close() {
        on = false;
        for (AutoCloseable part : opened) {
            try {
                part.close();
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            } catch (Exception failed) {
                // The others are to be closed too.
                LOG.warn("event=http_part_not_closed part={}", part.getClass().getSimpleName(), failed);
            }
        }
        opened.clear();
    }

    /** Asks whatever is there by then. */
    private final class Late implements RequestLookup {
        @Override
        public Found find(RequestId id) {
            return lookup.get().find(id);
        }

        @Override
        public Optional<Known> stale(RequestId id) {
            return lookup.get().stale(id);
        }

        @Override
        public List<Peer> standbys(RequestId id) {
            return lookup.get().standbys(id);
        }

        @Override
        public List<Peer> others() {
            return lookup.get().others();
        }
    }

    private static final class Starting implements RequestLookup {
        @Override
        public Found find(RequestId id) {
            return new Unavailable("the instance is starting");
        }

        @Override
        public Optional<Known> stale(RequestId id) {
            return Optional.empty();
        }

        @Override
        public List<Peer> standbys(RequestId id) {
            return List.of();
        }

        @Override
        public List<Peer> others() {
            return List.of();
        }
    }
}
