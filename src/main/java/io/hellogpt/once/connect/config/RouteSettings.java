package io.hellogpt.once.connect.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/** The settings of one route as they were given, with the route's name for what is said about them. */
final class RouteSettings {
    private final String route;
    private final AbstractConfig values;
    private final AllowedHosts allowed;

    /** @param own the route's properties without the prefix */
    RouteSettings(String route, Map<String, String> own, AllowedHosts allowed) {
        this.route = route;
        this.values = new AbstractConfig(RouteKeys.definition(), own, false);
        this.allowed = allowed;
    }

    String route() {
        return route;
    }

    AllowedHosts allowed() {
        return allowed;
    }

    boolean given(String key) {
        return values.originals().containsKey(key);
    }

    /** Empty when it is not given, or blank. */
    Optional<String> text(String key) {
        return Optional.ofNullable(values.getString(key)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** @throws ConfigException when it is not given */
    String need(String key, String why) {
        return text(key).orElseThrow(() -> refused(key, "missing; " + why));
    }

    List<String> list(String key) {
        return values.getList(key);
    }

    /** Empty when it is not given, or empty itself. */
    Optional<String> secret(String key) {
        return Optional.ofNullable(values.getPassword(key)).map(Password::value).filter(text -> !text.isEmpty());
    }

    /** @throws ConfigException when it is not given */
    String needSecret(String key, String why) {
        return secret(key).orElseThrow(() -> refused(key, "missing; " + why));
    }

    boolean flag(String key) {
        return values.getBoolean(key);
    }

    int number(String key) {
        return values.getInt(key);
    }

    /** Empty when it is not given. */
    Optional<Integer> optionalNumber(String key) {
        return Optional.ofNullable(values.getInt(key));
    }

    Duration millis(String key) {
        return Duration.ofMillis(values.getLong(key));
    }

    /** Empty when it is not given. */
    Optional<Duration> optionalMillis(String key) {
        return Optional.ofNullable(values.getLong(key)).map(Duration::ofMillis);
    }

    /** @throws ConfigException when one of {@code keys} is given, which would have no effect and looks as if it had */
    void mustNotHave(String why, String... keys) {
        for (String key : keys) {
            if (given(key)) {
                throw refused(key, "has no meaning here; " + why);
            }
        }
    }

    /** An error that names the key in full. Never pass a secret as the reason. */
    ConfigException refused(String key, String why) {
        return new ConfigException(RouteKeys.of(route, key) + ": " + why);
    }
}
