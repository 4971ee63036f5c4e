package io.hellogpt.once.model;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.JournalRecord;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of one call on its virtual thread: ask the model, tell the gate, journal what came of it. */
final class CallRunner {
    private static final Logger LOG = LoggerFactory.getLogger(CallRunner.class);
    private static final String ENDED_UNWRITTEN = "the process ended while the journal could not be written";

    private final ModelClient client;
    private final CallRegistry registry;
    private final DispatchGate gate;
    private final JournalDelivery delivery;
    private final GatewayCounters counters;
    private final Clock clock;

    CallRunner(
            ModelClient client,
            CallRegistry registry,
            DispatchGate gate,
            JournalDelivery delivery,
            GatewayCounters counters,
            Clock clock) {
        this.client = client;
        this.registry = registry;
        this.gate = gate;
        this.delivery = delivery;
        this.counters = counters;
        this.clock = clock;
    }

    private sealed interface Outcome {
        record Got(Answer answer) implements Outcome {}

        record Failed(CallError error) implements Outcome {}
    }

    /**
     * Returns when the result is in the journal, or is no longer wanted.
     *
     * @return the tokens the provider has counted, if that is known
     */
    OptionalLong run(CallEntry entry) {
        registry.runsOn(entry, Thread.currentThread());
        Outcome outcome = failed(CallError.Kind.RETRYABLE, "an error of the JVM ended the call; see the log");
        try {
            outcome = ask(entry);
        } finally {
            // Also when an Error ends this thread: nobody else will say what became of the call.
            conclude(entry, outcome);
        }
        return used(outcome);
    }

    /** A server that reports no usage reports nothing, not that nothing was used; one that refuses a request works on none. */
    private static OptionalLong used(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Got(Answer answer) -> {
                long tokens = answer.usage().inputTokens() + answer.usage().outputTokens();
                yield tokens > 0 ? OptionalLong.of(tokens) : OptionalLong.empty();
            }
            case Outcome.Failed(CallError error) ->
                switch (error.kind()) {
                    case REJECTED, UNAUTHORIZED -> OptionalLong.of(0);
                    case RETRYABLE, TOO_LARGE, ABANDONED -> OptionalLong.empty();
                };
        };
    }

    private void conclude(CallEntry entry, Outcome outcome) {
        CallEntry.Phase phase = registry.end(entry);
        // From here on nobody interrupts; one that came too late must not disturb the write.
        Thread.interrupted();
        switch (phase) {
            case ENDED -> {
                boolean outage = tellGate(entry, outcome);
                journal(entry, outage ? notCounted(outcome) : outcome);
            }
            case ABANDONED -> {
                Outcome last = outcome instanceof Outcome.Got ? outcome : abandoned();
                tellGate(entry, last);
                journal(entry, last);
            }
            case CANCELLED -> {
                tellGate(entry, abandoned());
                counters.cancelled.increment();
                registry.drop(entry);
            }
            case RUNNING -> throw new IllegalStateException("request_id=" + entry.id() + ": ended and yet running");
        }
    }

    private Outcome ask(CallEntry entry) {
        try {
            return new Outcome.Got(client.complete(entry.call));
        } catch (ModelCallException failed) {
            LOG.debug("event=model_call_failed request_id={} attempt={}", entry.id(), entry.call.attempt(), failed);
            return new Outcome.Failed(failed.error());
        } catch (InterruptedException givenUp) {
            return failed(CallError.Kind.RETRYABLE, "the call was interrupted");
        } catch (RuntimeException defect) {
            // A defect of a client must not take the request with it unseen: it is an error like another, and loud.
            LOG.error(
                    "event=model_client_defect request_id={} attempt={} action=\"journaled as retryable\"",
                    entry.id(),
                    entry.call.attempt(),
                    defect);
            return failed(
                    CallError.Kind.RETRYABLE,
                    "the model client threw " + defect.getClass().getName() + "; see the log");
        } catch (Error fatal) {
            LOG.error(
                    "event=call_thread_died request_id={} attempt={} action=\"journaled as retryable\"",
                    entry.id(),
                    entry.call.attempt(),
                    fatal);
            throw fatal;
        }
    }

    private boolean tellGate(CallEntry entry, Outcome outcome) {
        return gate.ended(
                entry.call.request().model(),
                entry.id(),
                entry.epoch,
                switch (outcome) {
                    case Outcome.Got got -> Optional.empty();
                    case Outcome.Failed failed -> Optional.of(failed.error());
                });
    }

    private void journal(CallEntry entry, Outcome outcome) {
        Outcome recorded = outcome;
        try {
            while (true) {
                int attempt = registry.attempt(entry);
                JournalDelivery.Delivery delivered = delivery.write(entry.partition, record(entry, attempt, recorded));
                switch (delivered) {
                    case ACKNOWLEDGED -> {
                        if (registry.settle(entry, attempt, recorded instanceof Outcome.Got)) {
                            count(recorded);
                            return;
                        }
                    }
                    case TOO_LARGE, UNWRITABLE -> {
                        if (recorded instanceof Outcome.Failed) {
                            lost(entry, "not even the error can be written to the journal; see the log");
                            return;
                        }
                        recorded = instead(delivered);
                    }
                    case GIVEN_UP -> {
                        lost(entry, ENDED_UNWRITTEN);
                        return;
                    }
                }
            }
        } catch (InterruptedException stopped) {
            lost(entry, ENDED_UNWRITTEN);
            Thread.currentThread().interrupt();
        }
    }

    /** What is journaled in place of an answer that cannot be. */
    private static Outcome instead(JournalDelivery.Delivery refused) {
        return refused == JournalDelivery.Delivery.TOO_LARGE
                ? failed(CallError.Kind.TOO_LARGE, "the answer does not fit into a journal record")
                : failed(CallError.Kind.RETRYABLE, "the answer cannot be written as a journal record; see the log");
    }

    private void lost(CallEntry entry, String cause) {
        registry.drop(entry);
        LOG.error(
                "event=result_not_journaled request_id={} cause=\"{}\" action=\"the call is made again\"",
                entry.id(),
                cause);
    }

    private void count(Outcome outcome) {
        switch (outcome) {
            case Outcome.Got got -> counters.answered.increment();
            case Outcome.Failed failed -> counters.failed.increment();
        }
    }

    private JournalRecord record(CallEntry entry, int attempt, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Got got ->
                new JournalRecord.Answered(entry.id(), entry.call.turn(), attempt, entry.call.life(), got.answer());
            case Outcome.Failed failed ->
                new JournalRecord.CallFailed(
                        entry.id(), entry.call.turn(), attempt, entry.call.life(), failed.error(), clock.instant());
        };
    }

    /**
     * While the circuit is open requests wait; the calls that find out that it still is must not use up their attempts. How long
     * the provider wants to be left alone still holds.
     */
    private static Outcome notCounted(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Got got -> got;
            case Outcome.Failed failed ->
                new Outcome.Failed(new CallError(
                        CallError.Kind.ABANDONED,
                        failed.error().message() + "; not counted: the circuit is open",
                        failed.error().retryAfter()));
        };
    }

    private static Outcome abandoned() {
        return failed(CallError.Kind.ABANDONED, "the process stopped before the model had answered");
    }

    private static Outcome.Failed failed(CallError.Kind kind, String message) {
        return new Outcome.Failed(new CallError(kind, message, Optional.empty()));
    }
}
