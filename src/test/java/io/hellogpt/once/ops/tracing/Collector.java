package io.hellogpt.once.ops.tracing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** Takes OTLP over HTTP, as a collector does, and keeps the spans. */
public final class Collector implements AutoCloseable {
    private static final long NANOS = 1_000_000_000;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Told> told = new CopyOnWriteArrayList<>();

    /** One span as it was received. */
    public record Told(
            String service,
            String traceId,
            String id,
            String parent,
            String name,
            Instant from,
            Instant to,
            Map<String, String> about,
            String error) {}

    public Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    public String endpoint() {
        return "http://localhost:" + server.getAddress().getPort() + "/v1/traces";
    }

    /** The spans of a trace, in the order they came. */
    public List<Told> of(String traceId) {
        return told.stream().filter(span -> span.traceId().equals(traceId)).toList();
    }

    public List<Told> all() {
        return List.copyOf(told);
    }

    /** Waits for the span of a whole request, which is the last one of its last step. */
    public List<Told> await(String traceId) {
        org.awaitility.Awaitility.await("the end of trace " + traceId)
                .atMost(Duration.ofSeconds(60))
                .until(() -> of(traceId).stream().anyMatch(span -> span.name().equals("request")));
        return of(traceId);
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            InputStream body = exchange.getRequestBody();
            boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            ExportTraceServiceRequest request =
                    ExportTraceServiceRequest.parseFrom(zipped ? new GZIPInputStream(body) : body);
            request.getResourceSpansList().forEach(resource -> {
                String service =
                        attributes(resource.getResource().getAttributesList()).get("service.name");
                resource.getScopeSpansList()
                        .forEach(scope -> scope.getSpansList().forEach(span -> told.add(read(service, span))));
            });
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static Told read(String service, Span span) {
        return new Told(
                service,
                hex(span.getTraceId().toByteArray()),
                hex(span.getSpanId().toByteArray()),
                hex(span.getParentSpanId().toByteArray()),
                span.getName(),
                at(span.getStartTimeUnixNano()),
                at(span.getEndTimeUnixNano()),
                attributes(span.getAttributesList()),
                span.getStatus().getMessage());
    }

    private static Map<String, String> attributes(List<io.opentelemetry.proto.common.v1.KeyValue> attributes) {
        return attributes.stream()
                .collect(Collectors.toMap(
                        io.opentelemetry.proto.common.v1.KeyValue::getKey,
                        each -> each.getValue().hasStringValue()
                                ? each.getValue().getStringValue()
                                : Long.toString(each.getValue().getIntValue())));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static Instant at(long nanos) {
        return Instant.ofEpochSecond(nanos / NANOS, nanos % NANOS);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
