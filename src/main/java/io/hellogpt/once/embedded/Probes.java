package io.hellogpt.once.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/** Cheap questions about whether something answers. */
public final class Probes {
    private static final int CONNECT_MILLIS = 500;

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ANSWER_TIMEOUT)
            .build();

    private Probes() {}

    /** Whether a connection to a loopback port is accepted. */
    public static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Whether a GET is answered with 200. */
    public static boolean succeeds(URI page) {
        return get(page).filter(response -> response.statusCode() == OK).isPresent();
    }

    /** What a page says, whatever its status; empty when it does not answer. */
    public static Optional<String> text(URI page) {
        return get(page).map(HttpResponse::body);
    }

    private static Optional<HttpResponse<String>> get(URI page) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(page).timeout(ANSWER_TIMEOUT).build();
            return Optional.of(HTTP.send(request, BodyHandlers.ofString()));
        } catch (IOException notYet) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedException("interrupted while asking " + page, e);
        }
    }
}
