package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.http.HttpReceiver;
import java.time.Clock;
import java.util.Optional;

/** Which receiver carries the effects of a route out. */
final class Receivers {
    private Receivers() {}

    /** Empty for a route whose effects do not leave the database. */
    static Optional<EffectReceiver> of(Route route, Clock clock) {
        return switch (route) {
            case Route.Billing billing -> Optional.empty();
            case Route.Http http -> Optional.of(HttpReceiver.create(http, clock));
        };
    }

    /** How many calls of one task the receiver of a route may get at a time. */
    static int maxInFlight(Route route) {
        return switch (route) {
            case Route.Billing billing -> Integer.MAX_VALUE;
            case Route.Http http -> http.maxInFlight();
        };
    }
}
