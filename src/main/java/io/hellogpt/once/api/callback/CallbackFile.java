package io.hellogpt.once.api.callback;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/** Which routes take callbacks and how: a properties file, {@code <route>.secrets} and what else {@link CallbackRoute} knows. */
public final class CallbackFile {
    /** Longest first: a route's name may have dots in it. */
    private static final List<String> SETTINGS = List.of(
            ".result.succeeded",
            ".result.failed",
            ".result.ignored",
            ".effect.id",
            ".secrets",
            ".result",
            ".reference",
            ".detail");

    private final Map<String, CallbackRoute> routes;

    private CallbackFile(Map<String, CallbackRoute> routes) {
        this.routes = Map.copyOf(routes);
    }

    /** No route takes callbacks. */
    public static CallbackFile none() {
        return new CallbackFile(Map.of());
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException when it cannot be read or understood; the message quotes no secret
     */
    public static CallbackFile read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("the file of callbacks " + file + " cannot be read", unreadable);
        }
        Map<String, Map<String, String>> byRoute = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> {
            String setting = SETTINGS.stream()
                    .filter(name::endsWith)
                    .filter(each -> name.length() > each.length())
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            file + ": " + name + " is not understood; it must be a route and one of " + SETTINGS));
            String route = name.substring(0, name.length() - setting.length());
            byRoute.computeIfAbsent(route, any -> new HashMap<>())
                    .put(setting.substring(1), properties.getProperty(name).strip());
        });
        Map<String, CallbackRoute> routes = new HashMap<>();
        byRoute.forEach((route, settings) -> routes.put(route, CallbackRoute.of(route, settings)));
        return new CallbackFile(routes);
    }

    public Set<String> routes() {
        return routes.keySet();
    }

    Optional<CallbackRoute> route(String name) {
        return Optional.ofNullable(routes.get(name));
    }

    /** Whether any route's secret signed this. */
    boolean isSigned(Signature signature) {
        return signature.isBy(routes.values().stream()
                .flatMap(route -> route.secrets().stream())
                .toList());
    }
}
