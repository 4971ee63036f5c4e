package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.EffectSinkConfig;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Responses;
import io.hellogpt.once.connect.config.Route;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Routes to receivers on this machine. */
public final class Routes {
    private Routes() {}

    /** A route with nothing about it but its class. */
    public static Route.Http http(String name, Recovery recovery, String url) {
        return new Route.Http(
                name,
                recovery,
                new Route.Endpoint("POST", url, List.of()),
                new Route.Access(
                        new Route.Credentials.None(),
                        Optional.empty(),
                        new Route.Network(true, Optional.empty(), Optional.empty())),
                new Route.Limits(Duration.ofSeconds(2), Duration.ofSeconds(5), 100_000, 1_000, 8_000, 8),
                new Route.Contract(Optional.empty(), Responses.standard(), Optional.empty()));
    }

    /** The route {@code r} as a connector's owner sets it up; {@code settings} are key and value in turn, without the prefix. */
    public static Route.Remote of(String... settings) {
        Map<String, String> props = new HashMap<>(connector());
        props.put("once.routes", "r");
        props.put("once.route.r.private.addresses", "true");
        for (int i = 0; i < settings.length; i += 2) {
            props.put("once.route.r." + settings[i], settings[i + 1]);
        }
        return (Route.Remote) new EffectSinkConfig(props).routes().get("r");
    }

    /** What a connector needs besides routes. */
    public static Map<String, String> connector() {
        return Map.of(
                "consumer.override.isolation.level", "read_committed",
                "once.outcomes.bootstrap.servers", "localhost:1",
                "once.ledger.jdbc.url", "jdbc:postgresql://localhost:1/none",
                "once.ledger.jdbc.user", "once");
    }
}
