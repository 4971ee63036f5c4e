package io.hellogpt.once.topology;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestIdFormat;
import io.hellogpt.once.core.Usage;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.topology.policy.Billing;
import io.hellogpt.once.topology.policy.Policies;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** The real topology in a TopologyTestDriver, with a gateway whose calls the test answers by hand. */
final class TopologyRig implements AutoCloseable {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    final ManualGateway gateway;
    final List<Fact> facts = new ArrayList<>();
    boolean observerIsBroken;
    private final TopologyTestDriver driver;
    private final Map<String, TestInputTopic<byte[], byte[]>> inputs = new HashMap<>();

    /** What a topology is built with. */
    record Setup(
            ProtocolSettings protocol,
            BillingPolicy billing,
            TopologySettings topology,
            List<DecisionPolicy> policies) {
        static final Setup STANDARD = new Setup(
                ProtocolSettings.defaults(),
                new Billing("billing"),
                TopologySettings.defaults(Router.IN_PLACE),
                List.of());
    }

    TopologyRig(Path stateDir) {
        this(stateDir, Setup.STANDARD);
    }

    TopologyRig(
            Path stateDir, ProtocolSettings settings, BillingPolicy billing, Router router, List<DecisionPolicy> more) {
        this(stateDir, settings, billing, TopologySettings.defaults(router), more);
    }

    TopologyRig(
            Path stateDir,
            ProtocolSettings settings,
            BillingPolicy billing,
            TopologySettings topologySettings,
            List<DecisionPolicy> more) {
        this(stateDir, new Setup(settings, billing, topologySettings, more));
    }

    TopologyRig(Path stateDir, Setup setup) {
        this(stateDir, setup, new ManualGateway(), START);
    }

    /** @param now what the wall clock says */
    TopologyRig(Path stateDir, Setup setup, ManualGateway gateway, Instant now) {
        this.gateway = gateway;
        List<DecisionPolicy> policies = new ArrayList<>(setup.policies());
        ServiceLoader.load(DecisionPolicy.class).forEach(policies::add);
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "rig");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092");
        config.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        driver = new TopologyTestDriver(
                new OnceTopology(
                                setup.protocol(),
                                Policies.of(policies),
                                setup.billing(),
                                new OnceTopology.Parts(
                                        setup.topology(),
                                        new RequestDecoder(RequestIdFormat.DEFAULT, 1_000_000, Optional.empty()),
                                        gateway,
                                        this::observe))
                        .build(),
                config,
                now);
        Topics.INPUTS.forEach(topic -> inputs.put(
                topic, driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())));
    }

    private void observe(Fact fact) {
        if (observerIsBroken) {
            throw new IllegalStateException("a defect of whoever observes");
        }
        facts.add(fact);
    }

    /** Lets the task read its own barrier, after which it dispatches. */
    TopologyRig opened() {
        journal(new JournalRecord.Barrier(gateway.barrier));
        return this;
    }

    void request(String json) {
        raw(json.getBytes(StandardCharsets.UTF_8), START);
    }

    void raw(byte[] value, Instant at) {
        inputs.get(Topics.REQUESTS).pipeInput(new TestRecord<>(new byte[] {1}, value, at));
    }

    void pipe(String topic, byte[] value) {
        inputs.get(topic).pipeInput(new TestRecord<>(null, value, START));
    }

    void pipe(String topic, TestRecord<byte[], byte[]> record) {
        inputs.get(topic).pipeInput(record);
    }

    void journal(JournalRecord record) {
        pipe(Topics.MODEL_RESPONSES, Codecs.JOURNAL.encode(record));
    }

    /** Answers the last call started for an id. */
    void answer(String id, String body) {
        ModelCall call = gateway.calls.stream()
                .filter(started -> started.id().value().equals(id))
                .reduce((a, b) -> b)
                .orElseThrow();
        journal(answered(id, call.attempt(), body, call.requestReceivedAt()));
    }

    /** An answer to a request that was received at the start. */
    static JournalRecord.Answered answered(String id, int attempt, String body) {
        return answered(id, attempt, body, START);
    }

    static JournalRecord.Answered answered(String id, int attempt, String body, Instant receivedAt) {
        return new JournalRecord.Answered(new RequestId(id), 0, attempt, receivedAt, answerOf(body));
    }

    static Answer answerOf(String body) {
        return new Answer(
                body.getBytes(StandardCharsets.UTF_8),
                "application/json",
                Integer.toHexString(body.hashCode()),
                "test",
                "m",
                "{}",
                new Usage(3, 4),
                new Cost(700, "USD", "t1"),
                Optional.empty(),
                START,
                START.plusMillis(5));
    }

    void outcome(String effectId, int attempt, EffectOutcome.Result result) {
        pipe(
                Topics.EFFECT_OUTCOMES,
                Codecs.EFFECT_OUTCOME.encode(outcomeOf(
                        effectId,
                        attempt,
                        result,
                        gateway.receivedAt(EffectId.parse(effectId).requestId()))));
    }

    void command(String id, OperatorCommand.Verb verb) {
        pipe(Topics.COMMANDS, commanded(id, verb, Optional.empty()));
    }

    static byte[] commanded(String id, OperatorCommand.Verb verb, Optional<String> effectId) {
        return Codecs.COMMAND.encode(new OperatorCommand(
                "command-" + id + "-" + verb,
                new RequestId(id),
                verb,
                effectId.map(EffectId::parse),
                "ada",
                "a test",
                START));
    }

    /** An outcome for a request that was received at the start. */
    static EffectOutcome outcomeOf(String effectId, int attempt, EffectOutcome.Result result) {
        return outcomeOf(effectId, attempt, result, START);
    }

    static EffectOutcome outcomeOf(String effectId, int attempt, EffectOutcome.Result result, Instant receivedAt) {
        return new EffectOutcome(
                EffectId.parse(effectId),
                attempt,
                result,
                "test",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                START,
                receivedAt,
                false);
    }

    void advance(Duration time) {
        driver.advanceWallClockTime(time);
    }

    List<ObjectNode> read(String topic) {
        return driver
                .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList()
                .stream()
                .map(record -> RecordJson.read(record.value()))
                .toList();
    }

    List<TestRecord<byte[], byte[]>> records(String topic) {
        return driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList();
    }

    TopologyTestDriver driver() {
        return driver;
    }

    @Override
    public void close() {
        driver.close();
    }

    /** A gateway that starts nothing by itself. */
    static final class ManualGateway implements ModelGateway {
        final List<ModelCall> calls = new ArrayList<>();
        final List<RequestId> cancelled = new ArrayList<>();
        final List<Integer> handovers = new ArrayList<>();
        /** Models whose limits are reached. */
        final Set<String> exhausted = new HashSet<>();

        int slots = Integer.MAX_VALUE;
        String instance = "rig-1";
        String barrier;

        /** When the request of the last call for an id was received; the start, when none was made. */
        Instant receivedAt(RequestId id) {
            return calls.stream()
                    .filter(call -> call.id().equals(id))
                    .reduce((a, b) -> b)
                    .map(ModelCall::requestReceivedAt)
                    .orElse(START);
        }

        @Override
        public String instance() {
            return instance;
        }

        @Override
        public Demand demand(ModelRequest request) {
            return new Demand(request.model(), 0);
        }

        @Override
        public boolean reserve(int partition, Demand demand) {
            if (slots == 0 || exhausted.contains(demand.model())) {
                return false;
            }
            slots--;
            return true;
        }

        @Override
        public void release(int partition, Demand demand) {
            slots++;
        }

        @Override
        public void start(int partition, ModelCall call) {
            calls.add(call);
        }

        @Override
        public void cancel(RequestId id) {
            cancelled.add(id);
        }

        @Override
        public String openBarrier(int partition) {
            barrier = "barrier-" + partition;
            return barrier;
        }

        @Override
        public void handover(int partition) {
            handovers.add(partition);
        }
    }
}
