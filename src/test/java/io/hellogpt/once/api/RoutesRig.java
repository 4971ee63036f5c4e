package io.hellogpt.once.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.peer.Forwarding;
import io.hellogpt.once.api.peer.Owners;
import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.Attempts;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.SourcePosition;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Real routes behind a real server; what they ask and write to is in memory, so that a log can be held up in the middle of an append. */
final class RoutesRig implements AutoCloseable {
    static final Fingerprint FINGERPRINT = new Fingerprint("ab".repeat(32));
    private static final Limits LIMITS = new Limits(100_000, 8_192, Duration.ofSeconds(30), 50);

    final HeldLog log = new HeldLog();
    final Map<RequestId, RequestLookup.Found> store = new ConcurrentHashMap<>();
    /** Told of each look-up after it. */
    volatile Consumer<RequestId> lookedUp = id -> {};

    final Owners owners;
    private final Forwarding forwarding = new Forwarding(Duration.ofSeconds(30));
    private final HttpClient client = HttpClient.newHttpClient();
    private ApiServer server;

    RoutesRig() {
        owners = new Owners(new Stored(), forwarding);
    }

    void serve(Map<Endpoint, Handler> some) {
        Map<Endpoint, Handler> handlers = new EnumMap<>(Endpoint.class);
        for (Endpoint endpoint : Endpoint.values()) {
            handlers.put(endpoint, exchange -> {
                throw new IllegalStateException(endpoint + " is not under test");
            });
        }
        handlers.putAll(some);
        server = new ApiServer(new ApiServer.Address("127.0.0.1", 0), LIMITS, Access.LOCAL, handlers, pages -> {});
    }

    RequestLookup.Peer peer() {
        return new RequestLookup.Peer("127.0.0.1", server.port());
    }

    CompletableFuture<HttpResponse<String>> post(String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** It has one effect, on the route {@code sign}, which is out with its receiver. */
    void know(String id, Instant receivedAt) {
        know(new Acknowledged(identity(id, FINGERPRINT, receivedAt), "cd".repeat(32), "declared", plan(), receivedAt));
    }

    void know(RequestState state) {
        store.put(state.id(), new RequestLookup.Known(state, Optional.empty()));
    }

    static Identity identity(String id, Fingerprint fingerprint, Instant receivedAt) {
        return new Identity(
                new RequestId(id),
                fingerprint,
                new SourcePosition("requests", 0, 7),
                receivedAt,
                Optional.empty(),
                List.of());
    }

    private static EffectPlan plan() {
        Progress out = new Progress(
                Progress.Status.ISSUED,
                new Attempts(1, 0, false, false, false, false),
                Optional.of(Instant.EPOCH),
                Optional.empty(),
                Optional.empty(),
                List.of());
        return new EffectPlan(List.of(new EffectStep(
                1, new PlannedEffect("sign", "sign", 0, "{}", Optional.empty(), false), out, Optional.empty())));
    }

    @Override
    public void close() {
        server.close();
        client.close();
        forwarding.close();
    }

    /** A log whose next appends end as the test says; those it says nothing of are acknowledged at once. */
    static final class HeldLog implements RecordLog {
        final List<RequestId> kept = new CopyOnWriteArrayList<>();
        final AtomicInteger begun = new AtomicInteger();
        private final Queue<CompletableFuture<Void>> verdicts = new ConcurrentLinkedQueue<>();

        /** @return how the next append that has none yet will end */
        CompletableFuture<Void> holdNext() {
            CompletableFuture<Void> verdict = new CompletableFuture<>();
            verdicts.add(verdict);
            return verdict;
        }

        @Override
        public SourcePosition append(String topic, RequestId id, byte[] value, Map<String, String> headers)
                throws InterruptedException {
            CompletableFuture<Void> verdict = verdicts.poll();
            begun.incrementAndGet();
            try {
                if (verdict != null) {
                    verdict.get();
                }
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof InterruptedException) {
                    throw new InterruptedException("stopped in the middle");
                }
                throw new NotAcknowledged("no leader", failed.getCause());
            }
            kept.add(id);
            return new SourcePosition(topic, 0, kept.size());
        }
    }

    private final class Stored implements RequestLookup {
        @Override
        public Found find(RequestId id) {
            Found found = store.getOrDefault(id, new Unknown());
            lookedUp.accept(id);
            return found;
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

    /** Hears nothing, as an instance that has just started. */
    static final class Silence implements EventFeed {
        @Override
        public Watch watch(RequestId id) {
            return new Watch() {
                @Override
                public Optional<Heard> next(Duration patience) {
                    return Optional.empty();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public List<ObjectNode> recent(int limit, Optional<String> status) {
            return List.of();
        }

        @Override
        public Optional<Instant> acceptedAt(RequestId id) {
            return Optional.empty();
        }
    }
}
