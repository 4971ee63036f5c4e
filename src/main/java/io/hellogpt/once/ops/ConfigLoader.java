package io.hellogpt.once.ops;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where settings come from: a properties file, then the environment ({@code ONCE_DEDUP_RETENTION} is {@code dedup.retention}),
 * then {@code --set name=value}; a later one wins.
 */
public final class ConfigLoader {
    static final String ENVIRONMENT_PREFIX = "ONCE_";

    /** Read by the launcher script, not by the application. */
    private static final Set<String> NOT_SETTINGS =
            Set.of("ONCE_CONFIG", "ONCE_JAVA_OPTS", "ONCE_JAVA_HOME", "ONCE_LOG_LEVEL", "ONCE_MINIMUM_JAVA");

    private ConfigLoader() {}

    /**
     * Reads all three sources.
     *
     * @param file properties file in UTF-8, if there is one
     * @param overrides {@code name=value} pairs
     * @throws ConfigError when a source cannot be read, a name is not known or a value is not valid
     */
    public static OnceConfig load(Optional<Path> file, Map<String, String> environment, List<String> overrides) {
        Map<String, String> values = new TreeMap<>();
        file.ifPresent(path -> values.putAll(read(path)));
        values.putAll(fromEnvironment(environment));
        values.putAll(fromPairs(overrides));
        return OnceConfig.of(values);
    }

    private static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException missing) {
            throw new ConfigError("there is no configuration file " + file, missing);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new ConfigError(
                    "cannot read configuration file " + file + ": " + unreadable.getMessage(), unreadable);
        }
        Map<String, String> values = new TreeMap<>();
        properties
                .stringPropertyNames()
                .forEach(name -> values.put(name, properties.getProperty(name).strip()));
        return values;
    }

    private static Map<String, String> fromEnvironment(Map<String, String> environment) {
        Map<String, String> values = new TreeMap<>();
        environment.forEach((name, value) -> {
            if (name.startsWith(ENVIRONMENT_PREFIX) && !NOT_SETTINGS.contains(name)) {
                String setting = name.substring(ENVIRONMENT_PREFIX.length());
                values.put(setting.toLowerCase(Locale.ROOT).replace('_', '.'), value.strip());
            }
        });
        return values;
    }

    private static Map<String, String> fromPairs(List<String> pairs) {
        Map<String, String> values = new TreeMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new ConfigError("--set takes name=value, not '" + pair + "'");
            }
            values.put(
                    pair.substring(0, equals).strip(),
                    pair.substring(equals + 1).strip());
        }
        return values;
    }
}
