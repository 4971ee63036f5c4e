package io.hellogpt.once.model;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.TraceContext;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** Asks a server that speaks the chat completions protocol. Never streams, follows no redirect, keeps the body byte for byte. */
final class OpenAiClient implements ModelClient {
    private final OpenAiSettings settings;
    private final PriceTable prices;
    private final int maxBytes;
    private final UnaryOperator<String> environment;
    private final Clock clock;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http;

    OpenAiClient(
            OpenAiSettings settings, PriceTable prices, int maxBytes, UnaryOperator<String> environment, Clock clock) {
        this.settings = settings;
        this.prices = prices;
        this.maxBytes = maxBytes;
        this.environment = environment;
        this.clock = clock;
        this.http = HttpClient.newBuilder()
                .executor(executor)
                .connectTimeout(settings.connectTimeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                // Without TLS the JDK would offer an upgrade to HTTP/2, which many model servers do not understand.
                .version(settings.secure() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                .build();
    }

    @Override
    public Answer complete(ModelCall call) throws ModelCallException, InterruptedException {
        Instant started = clock.instant();
        ChatRequest chat = ChatRequest.of(call.request(), settings.defaults());
        HttpResponse<BoundedBody.Body> response = send(request(call, chat), call.deadline());
        Instant finished = clock.instant();
        Optional<ModelCallException> failure = StatusErrors.of(response, finished);
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (!response.body().complete()) {
            throw ModelCallException.of(
                    CallError.Kind.TOO_LARGE,
                    "the answer is larger than snapshot.max.bytes=" + maxBytes + "; the rest was not read");
        }
        return answer(response, chat, started, finished);
    }

    private Answer answer(HttpResponse<BoundedBody.Body> response, ChatRequest chat, Instant started, Instant finished)
            throws ModelCallException {
        byte[] body = response.body().bytes();
        ChatCompletion completion = ChatCompletion.parse(body);
        String model = completion.model().orElse(chat.model());
        return new Answer(
                body,
                response.headers().firstValue("content-type").orElse("application/json"),
                ChatCompletion.sha256(body),
                settings.provider(),
                model,
                chat.parameters(),
                completion.usage(),
                prices.cost(List.of(model, chat.model()), completion.usage()),
                response.headers().firstValue("x-request-id").or(completion::id),
                started,
                finished);
    }

    private HttpRequest request(ModelCall call, ChatRequest chat) throws ModelCallException {
        HttpRequest.Builder request = HttpRequest.newBuilder(settings.completions())
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("X-Client-Request-Id", call.id().value())
                .header("Idempotency-Key", call.id().value() + ":" + call.attempt())
                .POST(HttpRequest.BodyPublishers.ofByteArray(chat.bytes()));
        apiKey().ifPresent(key -> request.header("Authorization", "Bearer " + key));
        call.trace().ifPresent(trace -> {
            request.header(TraceContext.TRACEPARENT, trace.traceparent());
            trace.tracestate().ifPresent(state -> request.header(TraceContext.TRACESTATE, state));
        });
        return request.build();
    }

    private Optional<String> apiKey() throws ModelCallException {
        Optional<String> key = rawKey().map(String::strip);
        if (key.isPresent() && !key.get().matches("[!-~]+")) {
            // The JDK's own complaint would quote the key.
            throw ModelCallException.of(
                    CallError.Kind.UNAUTHORIZED, "the API key is empty or holds characters no header can carry");
        }
        return key;
    }

    private Optional<String> rawKey() throws ModelCallException {
        if (settings.apiKeyFile().isPresent()) {
            try {
                return Optional.of(Files.readString(settings.apiKeyFile().get()));
            } catch (IOException unreadable) {
                CallError error = new CallError(
                        CallError.Kind.UNAUTHORIZED,
                        "the file named by model.openai.api.key.file cannot be read",
                        Optional.empty());
                throw new ModelCallException(error, unreadable);
            }
        }
        if (settings.apiKeyEnv().isEmpty()) {
            return Optional.empty();
        }
        String name = settings.apiKeyEnv().get();
        return Optional.of(Optional.ofNullable(environment.apply(name))
                .orElseThrow(() -> ModelCallException.of(
                        CallError.Kind.UNAUTHORIZED,
                        "the environment variable named by model.openai.api.key.env, " + name + ", is not set")));
    }

    /** The deadline covers the whole exchange: HttpRequest's own timeout ends with the headers. */
    private HttpResponse<BoundedBody.Body> send(HttpRequest request, Instant deadline)
            throws ModelCallException, InterruptedException {
        Duration left = Duration.between(clock.instant(), deadline);
        if (left.isNegative() || left.isZero()) {
            throw ModelCallException.retryable("the call's deadline had passed before it was sent", Optional.empty());
        }
        CompletableFuture<HttpResponse<BoundedBody.Body>> exchange = http.sendAsync(
                request, head -> new BoundedBody(head.statusCode() / 100 == 2 ? maxBytes : StatusErrors.MAX_BYTES));
        try {
            return exchange.get(left.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw ModelCallException.retryable(
                    "no complete answer within " + left.toMillis() + " ms, the call's deadline", late);
        } catch (ExecutionException failed) {
            throw ModelCallException.retryable(
                    "the exchange with the model server failed: "
                            + failed.getCause().getClass().getSimpleName(),
                    failed.getCause());
        } finally {
            exchange.cancel(true);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
        executor.shutdownNow();
    }
}
