package io.hellogpt.once.api.peer;

import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.RequestLookup;
import io.hellogpt.once.core.RequestId;
import java.util.Optional;

/**
 * Answers where the request is: here from the store, or by handing the client's request on to the instance that has it. Handed on once
 * at most: while partitions move, two instances may each believe the other has it.
 */
public final class Owners {
    private final RequestLookup lookup;
    private final Forwarding forwarding;

    public Owners(RequestLookup lookup, Forwarding forwarding) {
        this.lookup = lookup;
        this.forwarding = forwarding;
    }

    /** What is known here and now. */
    public sealed interface Local {}

    /** See {@link RequestLookup.Known}. */
    public record Here(RequestLookup.Known known) implements Local {}

    /** This instance has the partition and does not know the request. */
    public record Nothing() implements Local {}

    /** It cannot be said now. */
    public record Unreachable(String reason) implements Local {}

    /** Another instance has answered the client. */
    public record Answered() implements Local {}

    /** Looks it up here, or has the owner answer. */
    public Local find(Exchange exchange, RequestId id) throws InterruptedException {
        return switch (lookup.find(id)) {
            case RequestLookup.Known known -> new Here(known);
            case RequestLookup.Unknown unknown -> new Nothing();
            case RequestLookup.Unavailable(String reason) -> new Unreachable(reason);
            case RequestLookup.Elsewhere(RequestLookup.Peer owner) -> handOn(exchange, owner);
        };
    }

    private Local handOn(Exchange exchange, RequestLookup.Peer owner) throws InterruptedException {
        if (Forwarding.wasHandedOn(exchange) || exchange.isCommitted()) {
            return new Unreachable("the request's partition is moving between instances");
        }
        return forwarding.hand(exchange, owner, Forwarding.TO_OWNER)
                ? new Answered()
                : new Unreachable("the instance that has this request, " + owner + ", does not answer");
    }

    /**
     * For when {@link #find} cannot say: asks a standby, here or elsewhere.
     *
     * @return what a standby here knows; {@link Answered} when another instance has answered; else {@link Unreachable}
     */
    public Local findStale(Exchange exchange, RequestId id, Unreachable otherwise) throws InterruptedException {
        Optional<RequestLookup.Known> here = lookup.stale(id);
        if (here.isPresent()) {
            return new Here(here.get());
        }
        if (!Forwarding.wasHandedOn(exchange)) {
            for (RequestLookup.Peer standby : lookup.standbys(id)) {
                if (forwarding.hand(exchange, standby, Forwarding.TO_STANDBY)) {
                    return new Answered();
                }
            }
        }
        return otherwise;
    }
}
