package io.hellogpt.once.model;

import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.topology.ModelGateway;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs model calls on virtual threads, within the limits of the process and of each model, and journals what comes of them. One
 * per process.
 *
 * <p>A slot is free again when the journal has acknowledged the result, so that a broker that is away stops dispatch instead of
 * piling up answers. Results are kept and written again until then.
 *
 * <p>End it in this order: {@link #drain}, close the streams (its tasks hand over), {@link #close}, close the journal.
 */
public final class Gateway implements ModelGateway, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private final String instance;
    private final ModelClient client;
    private final GatewaySettings settings;
    private final Clock clock;
    private final Admission admission;
    private final TokenEstimate estimate;
    private final DispatchGate gate;
    private final CallRegistry registry;
    private final JournalDelivery delivery;
    private final GatewayCounters counters = new GatewayCounters();
    private final CallRunner runner;
    private final AtomicLong barriers = new AtomicLong();
    private volatile Optional<Ending> ending = Optional.empty();

    private record Ending(GatewayStatus.State state, Instant since) {}

    /**
     * @param instance unique to one run of this process; see {@link #newInstance}
     * @param client closed with the gateway
     * @param journal not closed with the gateway
     */
    public Gateway(String instance, ModelClient client, JournalWriter journal, GatewaySettings settings, Clock clock) {
        this.instance = Objects.requireNonNull(instance, "instance");
        this.client = Objects.requireNonNull(client, "client");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.admission = new Admission(settings.limits(), clock);
        this.estimate = new TokenEstimate(settings.limits().assumedOutputTokens());
        this.gate = new DispatchGate(settings, clock);
        this.registry = new CallRegistry(clock);
        this.delivery = new JournalDelivery(journal, clock);
        this.runner = new CallRunner(client, registry, gate, delivery, counters, clock);
    }

    /** A name for one run of a process: {@code name} for people, the rest so that no two runs share it. */
    public static String newInstance(String name) {
        return name + "-" + UUID.randomUUID();
    }

    @Override
    public String instance() {
        return instance;
    }

    /** Tokens are counted only where somebody limits them. */
    @Override
    public Demand demand(ModelRequest request) {
        boolean counted =
                settings.limits().of(request.model()).tokensPerMinute().isPresent();
        return new Demand(request.model(), counted ? estimate.of(request) : 0);
    }

    @Override
    public boolean reserve(int partition, Demand demand) {
        if (ending.isPresent() || delivery.stuckSince().isPresent() || !gate.tryPass(partition, demand.model())) {
            return false;
        }
        Optional<Holdback> holdback = admission.take(partition, demand);
        holdback.ifPresent(why -> {
            gate.giveBack(demand.model());
            counters.heldBack(why);
        });
        return holdback.isEmpty();
    }

    @Override
    public void release(int partition, Demand demand) {
        gate.giveBack(demand.model());
        admission.giveBack(partition, demand);
    }

    @Override
    public void start(int partition, ModelCall call) {
        Demand demand = demand(call.request());
        if (closed()) {
            LOG.info("event=start_ignored request_id={} cause=\"the gateway is closed\"", call.id());
            release(partition, demand);
            return;
        }
        Optional<CallEntry> admitted = registry.admit(partition, call, gate.epoch());
        if (admitted.isEmpty()) {
            counters.attached.increment();
            release(partition, demand);
            return;
        }
        counters.started.increment();
        gate.started(demand.model());
        CallEntry entry = admitted.get();
        Thread.ofVirtual().name("model-call-" + call.id()).start(() -> run(entry, demand));
    }

    private void run(CallEntry entry, Demand demand) {
        OptionalLong used = OptionalLong.empty();
        try {
            used = runner.run(entry);
        } finally {
            // An entry that outlived its thread would swallow every later start of its request.
            registry.drop(entry);
            admission.ended(entry.partition, demand, used);
        }
    }

    @Override
    public void cancel(RequestId id) {
        if (registry.cancel(id)) {
            LOG.info("event=model_call_cancelled request_id={}", id);
        }
    }

    @Override
    public String openBarrier(int partition) {
        String id = instance + ":" + barriers.incrementAndGet();
        // On a thread of its own: the producer may wait for metadata, the stream thread must not.
        Thread.ofVirtual().name("journal-barrier-" + partition).start(() -> {
            try {
                delivery.write(partition, new JournalRecord.Barrier(id));
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        return id;
    }

    @Override
    public void handover(int partition) {
        admission.leaves(partition);
        List<JournalRecord.RunningCall> calls = registry.unsettled(partition);
        if (calls.isEmpty()) {
            return;
        }
        try {
            JournalDelivery.Delivery end =
                    delivery.write(partition, new JournalRecord.Handover(instance, calls), settings.handoverTimeout());
            if (end == JournalDelivery.Delivery.ACKNOWLEDGED) {
                LOG.info("event=handover partition={} calls={}", partition, calls.size());
            } else {
                handoverFailed(partition, calls.size(), end.name());
            }
        } catch (InterruptedException stopped) {
            handoverFailed(partition, calls.size(), "interrupted");
            Thread.currentThread().interrupt();
        }
    }

    private static void handoverFailed(int partition, int calls, String cause) {
        LOG.warn(
                "event=handover_not_journaled partition={} calls={} cause={} action=\"the next owner may repeat them\"",
                partition,
                calls,
                cause);
    }

    /** What the gateway is doing now. */
    public GatewayStatus status() {
        Optional<DispatchGate.Closure> closure = journalClosure().or(gate::closure);
        Optional<Ending> end = ending;
        GatewayStatus.State state = end.map(Ending::state)
                .or(() -> closure.map(DispatchGate.Closure::state))
                .orElse(GatewayStatus.State.DISPATCHING);
        Instant since = end.map(Ending::since)
                .or(() -> closure.map(DispatchGate.Closure::since))
                .orElseGet(gate::openSince);
        return new GatewayStatus(
                state,
                end.isPresent() ? Optional.of("the process is stopping") : closure.map(DispatchGate.Closure::reason),
                since,
                settings.limits().maxInFlight(),
                admission.held(),
                registry.count(CallEntry.Phase.RUNNING),
                registry.count(CallEntry.Phase.ENDED),
                counters.read(delivery.retries()));
    }

    /** How often a request was refused a slot because of this limit. */
    double heldBack(Holdback why) {
        return counters.heldBackSoFar(why);
    }

    private Optional<DispatchGate.Closure> journalClosure() {
        return delivery.stuckSince()
                .map(since -> new DispatchGate.Closure(
                        GatewayStatus.State.JOURNAL_UNAVAILABLE,
                        "the journal takes no records; answers are kept and requests wait until it does: check the brokers"
                                + " and this instance's rights on them",
                        since));
    }

    /**
     * Starts no more calls and waits for those that run, and for their results to be journaled.
     *
     * @return whether all have ended within {@code timeout}; those that have not go on
     */
    public boolean drain(Duration timeout) throws InterruptedException {
        if (ending.isEmpty()) {
            ending = Optional.of(new Ending(GatewayStatus.State.DRAINING, clock.instant()));
        }
        return admission.awaitIdle(timeout);
    }

    /**
     * Gives up the calls that still run, journals that they were given up, so that the next owner need not wait for their
     * deadline, and closes the client. Waits at most {@link GatewaySettings#handoverTimeout()} for the journal.
     */
    @Override
    public void close() {
        if (closed()) {
            return;
        }
        ending = Optional.of(new Ending(GatewayStatus.State.CLOSED, clock.instant()));
        registry.abandonAll();
        try {
            admission.awaitIdle(settings.handoverTimeout());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            delivery.close();
            client.close();
        }
    }

    private boolean closed() {
        return ending.filter(end -> end.state() == GatewayStatus.State.CLOSED).isPresent();
    }
}
