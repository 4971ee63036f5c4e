package io.hellogpt.once.api.console;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The console: files from the class path, the same for everybody, so they need no token; what they show is asked of the API with the
 * reader's own. The policy lets the page load and reach nothing but this server, and run nothing but its own files: a request_id that
 * is a piece of HTML stays text, and a mistake in the page could not make it more.
 */
public final class ConsolePages implements Consumer<HttpRouting.Builder> {
    private static final String HTML = "text/html; charset=utf-8";
    private static final String CSS = "text/css; charset=utf-8";
    private static final String JS = "text/javascript; charset=utf-8";
    private static final Map<String, String> TYPES = Map.of(
            "index.html", HTML,
            "console.css", CSS,
            "console.js", JS,
            "dom.js", JS,
            "link.js", JS,
            "overview.js", JS,
            "story.js", JS,
            "operate.js", JS,
            "words.js", JS);
    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            // An instance that was updated must not be looked at with the page of the one before.
            "Cache-Control",
            "no-cache");

    @Override
    public void accept(HttpRouting.Builder routing) {
        TYPES.forEach((file, type) -> {
            byte[] content = read(file);
            String path = file.equals("index.html") ? "/" : "/console/" + file;
            routing.get(path, (request, response) -> send(response, type, content));
        });
    }

    private static void send(ServerResponse response, String type, byte[] content) {
        HEADERS.forEach((name, value) -> response.header(HeaderValues.create(HeaderNames.create(name), value)));
        response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, type));
        response.send(content);
    }

    private static byte[] read(String file) {
        try (InputStream page = Objects.requireNonNull(
                ConsolePages.class.getResourceAsStream("/console/" + file), file + " is on the class path")) {
            return page.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
