package io.hellogpt.once.connect.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.connect.EffectReceiver;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;

/**
 * One receiver behind HTTP. Sends a claimed attempt once: no redirect is followed, and the client repeats no POST, PUT, PATCH
 * or DELETE by itself (it does so for GET and HEAD only, unless {@code jdk.httpclient.enableAllMethodRetry} is set, which
 * {@link #create} refuses).
 *
 * <p>Safe for several threads; a call blocks its thread, which should be a virtual one.
 */
public final class HttpReceiver implements EffectReceiver {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RETRY_SWITCH = "jdk.httpclient.enableAllMethodRetry";

    private final Route.Http route;
    private final Requests requests;
    private final HttpClient client;
    private final Clock clock;

    private HttpReceiver(Route.Http route, HttpClient client, Clock clock) {
        this.route = route;
        this.requests = new Requests(route);
        this.client = client;
        this.clock = clock;
    }

    /**
     * A receiver with a client of its own.
     *
     * @throws IllegalStateException when the JVM is set to repeat requests silently
     */
    public static HttpReceiver create(Route.Http route, Clock clock) {
        String retries = System.getProperty(RETRY_SWITCH);
        if (retries != null && (retries.isEmpty() || Boolean.parseBoolean(retries))) {
            throw new IllegalStateException("the worker's JVM sets " + RETRY_SWITCH
                    + ", with which its HTTP client repeats requests that may have taken effect; remove it");
        }
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(route.limits().connectTimeout())
                .build();
        return new HttpReceiver(route, client, clock);
    }

    /**
     * Carries one attempt out. Whatever the receiver or the network does becomes a verdict.
     *
     * @throws InterruptedException when told to stop; the attempt is then in doubt and must not be settled
     */
    public Verdict execute(Claim.Execute claim) throws InterruptedException {
        Classification classification = new Classification(route.recovery(), claim.inDoubt());
        if (claim.body().length > route.limits().requestBytes()) {
            return classification.refused("payload of " + claim.body().length + " bytes is over the route's limit of "
                    + route.limits().requestBytes());
        }
        EffectId id = claim.ask().effect().id();
        if (claim.ask().probe()) {
            return asked(id, classification);
        }
        if (claim.inDoubt() && route.recovery() instanceof Recovery.Probeable probeable) {
            Optional<Verdict> known = probe(id, probeable, classification);
            if (known.isPresent()) {
                return known.get();
            }
            classification = new Classification(route.recovery(), false);
        }
        return send(id, claim.body(), classification);
    }

    /** The answer to an attempt that must not be carried out, only asked about. */
    private Verdict asked(EffectId id, Classification classification) throws InterruptedException {
        return switch (route.recovery()) {
            case Recovery.Probeable probeable ->
                probe(id, probeable, classification)
                        .orElseGet(() -> Verdict.retry(
                                "probe did not find it: certainly not carried out", Optional.empty(), false));
            case Recovery.Keyed keyed -> cannotBeAsked();
            case Recovery.Opaque opaque -> cannotBeAsked();
            case Recovery.Local local -> cannotBeAsked();
        };
    }

    private static Verdict cannotBeAsked() {
        return new Verdict(
                Result.UNKNOWN,
                "asked what became of it: the receiver cannot be asked",
                Optional.empty(),
                Optional.empty(),
                true);
    }

    private Verdict send(EffectId id, byte[] body, Classification classification) throws InterruptedException {
        HttpRequest request;
        try {
            request = requests.effect(id, body);
        } catch (IllegalArgumentException e) {
            return classification.refused("the effect_id cannot be carried in a header or URL");
        }
        try {
            HttpResponse<byte[]> response = exchange(request);
            return classification.response(response.statusCode(), reference(response), retryAfter(response));
        } catch (TimeoutException e) {
            return classification.inDoubt(
                    "no complete answer within " + route.limits().timeout().toMillis() + " ms", Optional.empty());
        } catch (IOException e) {
            return certainlyNotSent(e)
                    ? classification.notSent("could not connect (" + name(e) + ")")
                    : classification.inDoubt("connection broke (" + name(e) + ")", Optional.empty());
        }
    }

    /** Empty when the receiver has definitely not got it. */
    private Optional<Verdict> probe(EffectId id, Recovery.Probeable probeable, Classification classification)
            throws InterruptedException {
        String found;
        try {
            HttpResponse<byte[]> response = exchange(requests.probe(id, probeable));
            int status = response.statusCode();
            if (status >= 200 && status < 300) {
                return Optional.of(
                        new Verdict(Result.SUCCEEDED, "probe found it", reference(response), Optional.empty(), false));
            }
            if (status == 404) {
                return Optional.empty();
            }
            found = "probe answered HTTP " + status;
        } catch (TimeoutException e) {
            found = "probe was not answered in time";
        } catch (IOException e) {
            found = "probe failed (" + name(e) + ")";
        }
        return Optional.of(classification.inDoubt(found + ", nothing was sent", Optional.empty()));
    }

    /** The client's own timeout ends with the headers; this one covers the body as well. */
    private HttpResponse<byte[]> exchange(HttpRequest request)
            throws IOException, TimeoutException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> call =
                client.sendAsync(request, info -> new LimitedBody(route.limits().responseBytes()));
        try {
            return call.get(route.limits().timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof HttpConnectTimeoutException notConnected) {
                throw notConnected;
            }
            if (e.getCause() instanceof HttpTimeoutException late) {
                throw (TimeoutException) new TimeoutException(late.getMessage()).initCause(late);
            }
            if (e.getCause() instanceof IOException broken) {
                throw broken;
            }
            throw new IOException(e.getCause());
        } finally {
            call.cancel(true);
        }
    }

    private static boolean certainlyNotSent(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof HttpConnectTimeoutException
                    || cause instanceof UnknownHostException
                    || cause instanceof UnresolvedAddressException
                    || cause instanceof SSLHandshakeException) {
                return true;
            }
        }
        return false;
    }

    private static String name(Throwable e) {
        return e.getClass().getSimpleName();
    }

    private Optional<Duration> retryAfter(HttpResponse<?> response) {
        return response.headers().firstValue("Retry-After").flatMap(value -> RetryAfter.read(value, clock.instant()));
    }

    private static Optional<String> reference(HttpResponse<byte[]> response) {
        return response.headers().firstValue("Location").or(() -> idOf(response.body()));
    }

    private static Optional<String> idOf(byte[] body) {
        try {
            JsonNode id = JSON.readTree(body).path("id");
            return id.isTextual() || id.isNumber() ? Optional.of(id.asText()) : Optional.empty();
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
