package io.hellogpt.once.ops.meters;

import static io.hellogpt.once.ops.meters.OpenWorkMeters.lower;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.Compensating;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.topology.FactObserver;
import io.hellogpt.once.topology.Topics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the stages decide, as meters. A step of a transaction that was aborted counts again when it is redone, so these figures
 * show load and health; what happened is told by the topics. Nothing is tagged by request, and routes only up to a bound: producers
 * choose them.
 */
public final class RequestMeters implements FactObserver {
    private static final int MOST_ROUTES = 50;
    private static final List<String> INTAKE = List.of(Topics.REQUESTS, Topics.REQUESTS_REROUTED);
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(20),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofHours(1)
    };

    private final MeterRegistry meters;
    private final Map<List<String>, Counter> counters = new ConcurrentHashMap<>();
    private final Map<String, Timer> stages = new ConcurrentHashMap<>();
    private final Map<String, String> routes = new ConcurrentHashMap<>();

    public RequestMeters(MeterRegistry meters) {
        this.meters = meters;
        // They exist before the first of them happens, so that a rate over them is never "no data".
        List.of("accepted", "duplicate", "conflicting", "rejected").forEach(this::requests);
        endings("committed", "none");
        events(LifecycleEvent.Type.CALL_LOST);
        List.of("queue", "model", "settle", "total", "overhead").forEach(this::stage);
        Gauge.builder("once.dedup.hit.rate", this, RequestMeters::hitRate)
                .description("Share of duplicates among the records read since the start")
                .register(meters);
    }

    private double hitRate() {
        double duplicates = requests("duplicate").count();
        double read = duplicates
                + requests("accepted").count()
                + requests("conflicting").count()
                + requests("rejected").count();
        return read == 0 ? 0 : duplicates / read;
    }

    @Override
    public void applied(Fact fact) {
        switch (fact) {
            case Fact.Save(var previous, var next) -> saved(previous, next);
            case Fact.RecordSnapshot(var snapshot) -> snapshot(snapshot);
            case Fact.Log(var event) -> logged(event);
            case Fact.AnswerDuplicate duplicate -> requests("duplicate").increment();
            case Fact.Reject(var rejection, var source) -> rejected(rejection, INTAKE.contains(source.topic()));
            case Fact.Commit(var result) -> committed(result.state(), result.snapshot());
            case Fact.Fail(var state) -> failed(state);
            case Fact.IssueEffect(var effect) ->
                counter(
                                "once.effects.issued",
                                "Attempts of effects handed to the outbox",
                                "route",
                                route(effect.route()))
                        .increment();
            case Fact.Ignore(var id, var reason) ->
                counter("once.ignored", "Records that changed nothing", "reason", lower(reason))
                        .increment();
            case Fact.StartCall started ->
                counter("once.calls.dispatched", "Model calls started or found running")
                        .increment();
            case Fact.CancelCall cancelled ->
                counter("once.calls.cancelled", "Calls whose answer is no longer wanted")
                        .increment();
            case Fact.Stash stashed ->
                counter("once.stashed", "Answers that came before their request")
                        .increment();
            case Fact.Forget forgotten ->
                counter("once.expired", "Ids forgotten at the end of their dedup window")
                        .increment();
            case Fact.Unstash unstashed -> {}
        }
    }

    private void saved(Optional<RequestState> previous, RequestState next) {
        if (next instanceof Generating generating
                && previous.filter(Generating.class::isInstance).isEmpty()
                && generating.attempt() == 1) {
            record("queue", next.identity().receivedAt(), generating.call().startedAt());
        }
        if (next instanceof Acknowledged acknowledged) {
            settled(previous, acknowledged);
        } else if (next instanceof Held held) {
            settled(previous, held);
        } else if (next instanceof Compensating compensating) {
            settled(previous, compensating);
        }
    }

    /** Counts every effect that has another outcome in {@code next} than it had before. */
    private void settled(Optional<RequestState> previous, RequestState.Open next) {
        if (!(previous.orElse(null) instanceof RequestState.Open before)) {
            return;
        }
        for (EffectStep step : next.plan().steps()) {
            before.plan().step(step.step()).ifPresent(old -> {
                outcome(step, old.forward(), step.forward());
                step.undo().ifPresent(undo -> old.undo().ifPresent(was -> outcome(step, was, undo)));
            });
        }
    }

    private void outcome(EffectStep step, Progress before, Progress now) {
        if (before.status() != now.status() && before.status() == Progress.Status.ISSUED) {
            counter(
                            "once.effects.outcomes",
                            "Outcomes of attempts",
                            "route",
                            route(step.planned().route()),
                            "result",
                            lower(now.status()))
                    .increment();
        }
    }

    private void snapshot(Snapshot snapshot) {
        Cost cost = snapshot.answer().cost();
        counter("once.snapshots", "Answers recorded").increment();
        counter("once.cost", "What recorded answers cost, in units of the currency", "currency", cost.currency())
                .increment(cost.nanos() / 1e9);
        record("model", snapshot.answer().startedAt(), snapshot.answer().finishedAt());
    }

    private void logged(LifecycleEvent event) {
        events(event.type()).increment();
        if (event.type() == LifecycleEvent.Type.ACCEPTED) {
            requests("accepted").increment();
        }
    }

    private void rejected(Rejection rejection, boolean request) {
        if (request) {
            requests(rejection.reason() == Rejection.Reason.CONFLICT ? "conflicting" : "rejected")
                    .increment();
        }
        counter("once.rejections", "Records put aside", "reason", lower(rejection.reason()))
                .increment();
    }

    private void committed(Committed state, Snapshot snapshot) {
        endings("committed", "none").increment();
        Instant received = state.identity().receivedAt();
        Duration total = Duration.between(received, state.endedAt());
        Duration model = Duration.between(
                snapshot.answer().startedAt(), snapshot.answer().finishedAt());
        record("settle", snapshot.answer().finishedAt(), state.endedAt());
        stage("total").record(total);
        stage("overhead").record(total.compareTo(model) < 0 ? Duration.ZERO : total.minus(model));
    }

    private void failed(Failed state) {
        endings("failed", lower(state.failure().reason())).increment();
        record("total", state.identity().receivedAt(), state.endedAt());
    }

    private Counter events(LifecycleEvent.Type type) {
        return counter("once.events", "Lines of the audit log", "type", lower(type));
    }

    private Counter requests(String disposition) {
        return counter("once.requests", "Records of requests that were told apart", "disposition", disposition);
    }

    private Counter endings(String result, String reason) {
        return counter("once.endings", "Requests that ended", "result", result, "reason", reason);
    }

    private void record(String stage, Instant from, Instant to) {
        if (!to.isBefore(from)) {
            stage(stage).record(Duration.between(from, to));
        }
    }

    private Timer stage(String stage) {
        return stages.computeIfAbsent(
                stage,
                name -> Timer.builder("once.latency")
                        .description("Time from the request's append to its ending, and the parts of it")
                        .tag("stage", name)
                        .serviceLevelObjectives(BUCKETS)
                        .register(meters));
    }

    private Counter counter(String name, String what, String... tags) {
        // Registering looks a meter up by building its id; this is on the stream's hot path.
        List<String> key = tags.length == 0 ? List.of(name) : key(name, tags);
        Counter known = counters.get(key);
        return known != null
                ? known
                : counters.computeIfAbsent(
                        key,
                        one -> Counter.builder(name)
                                .description(what)
                                .tags(tags)
                                .register(meters));
    }

    private static List<String> key(String name, String... tags) {
        return switch (tags.length) {
            case 2 -> List.of(name, tags[1]);
            case 4 -> List.of(name, tags[1], tags[3]);
            default -> throw new IllegalArgumentException("one or two tags");
        };
    }

    private String route(String route) {
        String known = routes.get(route);
        if (known != null) {
            return known;
        }
        return routes.size() < MOST_ROUTES ? routes.computeIfAbsent(route, name -> name) : "other";
    }
}
