package io.hellogpt.once.ops;

import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.schema.Decoded;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.schema.RequestEncoder;
import io.hellogpt.once.topology.Topics;
import io.hellogpt.once.topology.policy.Policies;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Sends requests the way a good producer does: validated first, keyed by request_id, idempotent, acknowledged by all replicas. */
public final class RequestSender {
    private RequestSender() {}

    /** The encodings offered. */
    public enum Format {
        avro,
        json
    }

    /**
     * A line that is no request.
     *
     * @param line its number, from 1
     */
    public record Refused(int line, String reason) {}

    /** What became of the lines of a file. */
    public record Parsed(List<ModelRequest> requests, List<Refused> refused) {
        public Parsed {
            requests = List.copyOf(requests);
            refused = List.copyOf(refused);
        }
    }

    /** @param failures one line per request that was not acknowledged; sending it again is safe */
    public record Sent(int acknowledged, List<String> failures) {
        public Sent {
            failures = List.copyOf(failures);
        }
    }

    /** Applies the rules of the intake to each line; empty lines are passed over. */
    public static Parsed parse(OnceConfig config, List<String> lines) {
        RequestDecoder decoder = RequestRules.decoder(config);
        List<ModelRequest> requests = new ArrayList<>();
        List<Refused> refused = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                switch (decoder.decode(lines.get(i).strip().getBytes(StandardCharsets.UTF_8))) {
                    case Decoded.Request request -> requests.add(request.request());
                    case Decoded.Unreadable bad ->
                        refused.add(new Refused(
                                i + 1,
                                bad.rejection().reason() + ": "
                                        + bad.rejection().detail()));
                }
            }
        }
        return new Parsed(requests, refused);
    }

    /**
     * One sentence for each policy that is named and not installed here. It may be installed at the instances all the same, which
     * alone decide and which a producer need not reach: so the requests are sent, and whoever sends them is told.
     */
    public static List<String> unknownPolicies(OnceConfig config, List<ModelRequest> requests) {
        Policies here = PolicySet.of(config);
        Map<String, Long> unknown = requests.stream()
                .map(ModelRequest::policy)
                .filter(policy -> !here.isKnown(policy))
                .collect(Collectors.groupingBy(policy -> policy, TreeMap::new, Collectors.counting()));
        return unknown.entrySet().stream()
                .map(policy ->
                        ("policy '%s' of %,d requests is not among those installed here, %s; if the instances do not have"
                                        + " it either, they reject the requests as INVALID, on rejected-requests")
                                .formatted(policy.getKey(), policy.getValue(), here.names()))
                .toList();
    }

    /**
     * Sends and waits for every acknowledgement.
     *
     * @param acknowledged told the count so far, on another thread
     */
    public static Sent send(OnceConfig config, List<ModelRequest> requests, Format format, IntConsumer acknowledged) {
        AtomicInteger count = new AtomicInteger();
        List<String> failures = Collections.synchronizedList(new ArrayList<>());
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config.producer())) {
            for (ModelRequest request : requests) {
                producer.send(record(request, format), (metadata, failure) -> {
                    if (failure == null) {
                        acknowledged.accept(count.incrementAndGet());
                    } else {
                        failures.add(request.id() + ": " + failure.getMessage());
                    }
                });
            }
            producer.flush();
        }
        return new Sent(count.get(), failures);
    }

    private static ProducerRecord<byte[], byte[]> record(ModelRequest request, Format format) {
        byte[] value = switch (format) {
            case avro -> RequestEncoder.avro(request);
            case json -> RequestEncoder.json(request);
        };
        return new ProducerRecord<>(Topics.REQUESTS, request.id().value().getBytes(StandardCharsets.UTF_8), value);
    }
}
