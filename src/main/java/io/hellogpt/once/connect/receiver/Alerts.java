package io.hellogpt.once.connect.receiver;

import io.hellogpt.once.core.EffectId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells people of what no retry mends. Safe for several threads. */
@FunctionalInterface
public interface Alerts {
    /** What people are told of. */
    enum Alert {
        /** A receiver says that a key was used with other content: a bug on one of the two sides. */
        KEY_REUSED,
        /** A receiver says that it is gone for good; its route is closed until the task is restarted. */
        ROUTE_CLOSED,
        /** A name led to an address the route may not connect to: a wrong setting, or an attack. */
        ADDRESS_REFUSED
    }

    /** @param why for people; no payload, no secret */
    void raise(Alert alert, String route, EffectId effect, String why);

    /** Into the log, as errors. */
    static Alerts toLog() {
        Logger log = LoggerFactory.getLogger(Alerts.class);
        return (alert, route, effect, why) -> log.error(
                "alert={} route={} effect_id={} request_id={} reason=\"{}\"",
                alert,
                route,
                effect,
                effect.requestId(),
                why);
    }
}
