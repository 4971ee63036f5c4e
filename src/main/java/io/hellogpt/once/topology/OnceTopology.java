package io.hellogpt.once.topology;

import io.hellogpt.once.core.Acknowledge;
import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.Commit;
import io.hellogpt.once.core.Generate;
import io.hellogpt.once.core.Operate;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.Receive;
import io.hellogpt.once.core.Rescue;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.topology.policy.Policies;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The exactly-once topology.
 *
 * <pre>
 * requests, requests-rerouted -> receive -> generate -> acknowledge -> commit -> committed-results
 *                                             ^                          ^
 *                              model-responses                effect-outcomes
 * </pre>
 *
 * One sub-topology, so that everything about a request happens in one task and one transaction.
 */
public final class OnceTopology {
    private final ProtocolSettings protocol;
    private final Policies policies;
    private final BillingPolicy billing;
    private final Parts parts;

    /** @param billing makes the effect that bills each snapshot */
    public OnceTopology(ProtocolSettings protocol, Policies policies, BillingPolicy billing, Parts parts) {
        this.protocol = Objects.requireNonNull(protocol, "protocol");
        this.policies = Objects.requireNonNull(policies, "policies");
        this.billing = Objects.requireNonNull(billing, "billing");
        this.parts = Objects.requireNonNull(parts, "parts");
    }

    /**
     * What the processors share.
     *
     * @param ticker nanoseconds of a clock that tells how long something takes; it has a say in when a commit is asked for, and in
     *     nothing that is decided or written
     */
    public record Parts(
            TopologySettings settings,
            RequestDecoder decoder,
            ModelGateway gateway,
            FactObserver observer,
            StepLogs steps,
            Traces traces,
            LongSupplier ticker) {
        public Parts {
            Objects.requireNonNull(settings, "settings");
            Objects.requireNonNull(decoder, "decoder");
            Objects.requireNonNull(gateway, "gateway");
            Objects.requireNonNull(observer, "observer");
            Objects.requireNonNull(steps, "steps");
            Objects.requireNonNull(traces, "traces");
            Objects.requireNonNull(ticker, "ticker");
        }

        /** The parts of a system that makes no spans, and no haste. */
        public Parts(
                TopologySettings settings,
                RequestDecoder decoder,
                ModelGateway gateway,
                FactObserver observer,
                StepLogs steps) {
            this(settings, decoder, gateway, observer, steps, Traces.PASSED_ON, () -> 0);
        }

        /** The parts of a live system that keeps no record of its steps. */
        public Parts(TopologySettings settings, RequestDecoder decoder, ModelGateway gateway, FactObserver observer) {
            this(settings, decoder, gateway, observer, new StepLogs(Surroundings.LIVE, false));
        }
    }

    /** Builds the topology anew, with stores on disk. */
    public Topology build() {
        return build(org.apache.kafka.streams.state.Stores::persistentKeyValueStore);
    }

    /**
     * Builds the topology anew.
     *
     * @param stores makes a store by its name; every one must keep its keys in the order of their bytes
     */
    public Topology build(Function<String, KeyValueBytesStoreSupplier> stores) {
        Receive receive = new Receive(protocol, policies::isKnown);
        Generate generate = new Generate(protocol);
        Acknowledge acknowledge = new Acknowledge(protocol, policies::find, billing);
        Commit commit = new Commit(protocol);
        Rescue rescue = new Rescue(protocol);
        Operate operate = new Operate(protocol, acknowledge, commit);

        Topology topology = new Topology();
        source(topology, Nodes.REQUESTS_SOURCE, Topics.REQUESTS);
        source(topology, Nodes.REROUTED_SOURCE, Topics.REQUESTS_REROUTED);
        source(topology, Nodes.RESPONSES_SOURCE, Topics.MODEL_RESPONSES);
        source(topology, Nodes.OUTCOMES_SOURCE, Topics.EFFECT_OUTCOMES);
        source(topology, Nodes.COMMANDS_SOURCE, Topics.COMMANDS);

        topology.addProcessor(
                Nodes.RECEIVE,
                () -> new ReceiveProcessor(parts, receive),
                Nodes.REQUESTS_SOURCE,
                Nodes.REROUTED_SOURCE);
        topology.addProcessor(Nodes.TIMERS, () -> new TimersProcessor(parts), Nodes.RECEIVE);
        topology.addProcessor(
                Nodes.GENERATE,
                () -> new GenerateProcessor(parts, generate, rescue),
                Nodes.RECEIVE,
                Nodes.TIMERS,
                Nodes.RESPONSES_SOURCE);
        topology.addProcessor(Nodes.ACKNOWLEDGE, () -> new AcknowledgeProcessor(parts, acknowledge), Nodes.GENERATE);
        topology.addProcessor(
                Nodes.COMMIT,
                () -> new CommitProcessor(parts, commit, rescue),
                Nodes.ACKNOWLEDGE,
                Nodes.TIMERS,
                Nodes.OUTCOMES_SOURCE);
        topology.addProcessor(Nodes.OPERATE, () -> new OperateProcessor(parts, operate), Nodes.COMMANDS_SOURCE);

        String[] stages = {Nodes.RECEIVE, Nodes.TIMERS, Nodes.GENERATE, Nodes.ACKNOWLEDGE, Nodes.COMMIT, Nodes.OPERATE};
        Stores.ALL.forEach(name -> topology.addStateStore(store(stores.apply(name)), stages));
        sink(topology, Topics.REQUESTS_REROUTED, Nodes.RECEIVE);
        Topics.OUTPUTS.forEach(topic -> sink(topology, topic, stages));
        topology.addSink(
                Nodes.sink(Topics.TASK_STEPS),
                Topics.TASK_STEPS,
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                new ByTask(),
                stages);
        return topology;
    }

    private static void source(Topology topology, String node, String topic) {
        topology.addSource(
                org.apache.kafka.streams.AutoOffsetReset.earliest(),
                node,
                new FeedbackFirst(),
                new ByteArrayDeserializer(),
                Message.Raw.DESERIALIZER,
                topic);
    }

    private static void sink(Topology topology, String topic, String... parents) {
        topology.addSink(
                Nodes.sink(topic),
                topic,
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                new ByRequestId(),
                parents);
    }

    /** Changelogged, no cache: dedup must see every write, and a cache would only repeat what the store holds. */
    private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(KeyValueBytesStoreSupplier supplier) {
        return org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(supplier, Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingEnabled(java.util.Map.of());
    }
}
