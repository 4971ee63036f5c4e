package io.hellogpt.once.ops.http;

import io.hellogpt.once.api.Access;
import io.hellogpt.once.api.ApiServer;
import io.hellogpt.once.api.Limits;
import io.hellogpt.once.api.access.TokenFile;
import io.hellogpt.once.api.callback.CallbackFile;
import io.hellogpt.once.ops.ConfigError;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.Settings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the HTTP API is configured to be. */
final class HttpParts {
    private static final Logger LOG = LoggerFactory.getLogger(HttpParts.class);

    private HttpParts() {}

    static ApiServer.Address address(OnceConfig config) {
        return new ApiServer.Address(config.text(Settings.HTTP_HOST), config.number(Settings.HTTP_PORT));
    }

    static Limits limits(OnceConfig config) {
        return new Limits(
                config.number(Settings.HTTP_BODY_MAX_BYTES),
                config.number(Settings.HTTP_HEADER_MAX_BYTES),
                Duration.ofMillis(config.millis(Settings.HTTP_CLIENT_TIMEOUT_MS)),
                config.number(Settings.HTTP_MAX_CONNECTIONS));
    }

    /** @throws ConfigError when everybody could do everything, or the file cannot be used */
    static Access access(OnceConfig config, Clock clock) {
        String file = config.text(Settings.HTTP_TOKENS_FILE);
        if (!file.isEmpty()) {
            return refusing(() -> new TokenFile(Path.of(file), clock));
        }
        String host = config.text(Settings.HTTP_HOST);
        if (!isLoopback(host)) {
            throw new ConfigError(
                    "%s is %s, which others can reach, and %s is not set: whoever reaches it could do everything. Name a file of tokens, or listen on 127.0.0.1"
                            .formatted(Settings.HTTP_HOST, host, Settings.HTTP_TOKENS_FILE));
        }
        LOG.warn(
                "event=http_without_tokens host={} detail=\"everybody on this machine may submit, read and operate; set {}\"",
                host,
                Settings.HTTP_TOKENS_FILE);
        return Access.LOCAL;
    }

    static CallbackFile callbacks(OnceConfig config) {
        String file = config.text(Settings.CALLBACKS_FILE);
        return file.isEmpty() ? CallbackFile.none() : refusing(() -> CallbackFile.read(Path.of(file)));
    }

    private interface Reading<T> {
        T read();
    }

    private static <T> T refusing(Reading<T> reading) {
        try {
            return reading.read();
        } catch (IllegalArgumentException broken) {
            throw new ConfigError(broken.getMessage(), broken);
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            throw new ConfigError(Settings.HTTP_HOST + " " + host + " is not known", unknown);
        }
    }
}
