package io.hellogpt.once.ops;

import io.hellogpt.once.api.Health;
import io.hellogpt.once.model.GatewayStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;

/** Sums up how the instance is. */
record HealthSource(
        Supplier<OnceRunner.State> process, Supplier<KafkaStreams.State> streams, Supplier<GatewayStatus> gateway)
        implements Supplier<Health> {
    @Override
    public Health get() {
        OnceRunner.State now = process.get();
        KafkaStreams.State stream = streams.get();
        GatewayStatus calls = gateway.get();
        List<String> reasons = new ArrayList<>();
        switch (now) {
            case STARTING -> reasons.add("the instance is starting");
            case RUNNING -> streamReason(stream, reasons);
            case DRAINING -> reasons.add("the instance is stopping; running model calls may end");
            case STOPPED -> reasons.add("the instance has stopped");
            case FAILED -> reasons.add("the instance has failed; the log says why");
        }
        if (now == OnceRunner.State.RUNNING && !calls.dispatching()) {
            reasons.add("model calls are paused since " + calls.since() + " (" + calls.state() + "): "
                    + calls.reason().orElse("no reason given"));
        }
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("streams", stream.name());
        details.put("gateway", calls.state().name());
        details.put("model_calls_running", calls.running());
        details.put("model_call_slots", calls.slots());
        details.put("answers_awaiting_journal", calls.awaitingJournal());
        boolean live = now != OnceRunner.State.FAILED && stream != KafkaStreams.State.ERROR;
        return new Health(live, reasons.isEmpty(), now.name(), reasons, details);
    }

    private static void streamReason(KafkaStreams.State stream, List<String> reasons) {
        switch (stream) {
            case RUNNING -> {}
            case CREATED, REBALANCING ->
                reasons.add("partitions are being assigned or their stores restored (" + stream + ")");
            case PENDING_SHUTDOWN, NOT_RUNNING, PENDING_ERROR, ERROR ->
                reasons.add("the stream has ended (" + stream + "); the log says why");
        }
    }
}
