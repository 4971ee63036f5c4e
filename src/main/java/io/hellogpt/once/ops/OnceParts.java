package io.hellogpt.once.ops;

import io.hellogpt.once.model.Gateway;
import io.hellogpt.once.model.GatewaySettings;
import io.hellogpt.once.model.Journal;
import io.hellogpt.once.model.ModelClients;
import io.hellogpt.once.ops.meters.RequestMeters;
import io.hellogpt.once.ops.meters.RestoreMeters;
import io.hellogpt.once.ops.tracing.Tracing;
import io.hellogpt.once.topology.OnceTopology;
import io.hellogpt.once.topology.StepLogs;
import io.hellogpt.once.topology.Surroundings;
import io.hellogpt.once.topology.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;

/** Makes the parts of an instance from its configuration; each is given what it needs and nothing else. */
final class OnceParts {
    private final OnceConfig config;
    private final MeterRegistry meters;
    private final Clock clock;
    private final LostTransactions transactions = new LostTransactions();

    OnceParts(OnceConfig config, MeterRegistry meters, Clock clock) {
        this.config = config;
        this.meters = meters;
        this.clock = clock;
    }

    Journal journal() {
        Map<String, Object> client = new HashMap<>();
        config.journalProducer().forEach((name, value) -> client.put((String) name, value));
        return Journal.open(client, Topics.MODEL_RESPONSES, config.number(Settings.SNAPSHOT_MAX_BYTES));
    }

    Gateway gateway(Journal journal) {
        return new Gateway(
                Gateway.newInstance(config.text(Settings.APPLICATION_ID)),
                ModelClients.assemble(config.text(Settings.MODEL_CLIENT), config.modelClient(), meters, clock),
                journal,
                GatewaySettings.within(config.callLimits()),
                clock);
    }

    Tracing tracing(String instance) {
        String endpoint = config.text(Settings.TRACING_OTLP_ENDPOINT);
        return endpoint.isEmpty()
                ? Tracing.off()
                : Tracing.to(
                        endpoint,
                        config.ratio(Settings.TRACING_SAMPLE_RATIO),
                        config.protocol().outcomeTimeout(),
                        Map.of("service.name", config.text(Settings.APPLICATION_ID), "service.instance.id", instance));
    }

    Topology topology(Gateway gateway, int partitions, Tracing tracing) {
        return ConfiguredTopology.of(
                        config,
                        PolicySet.of(config),
                        new OnceTopology.Parts(
                                ConfiguredTopology.settings(config, partitions),
                                RequestRules.decoder(config),
                                gateway,
                                tracing.beside(new RequestMeters(meters)),
                                new StepLogs(Surroundings.LIVE, config.flag(Settings.REPLAY_RECORDING)),
                                tracing.traces(),
                                System::nanoTime))
                .build(new FencedStores(transactions));
    }

    MeasuredStreams streams(Topology topology, String applicationServer) {
        Properties properties = config.streams();
        properties.put(StreamsConfig.APPLICATION_SERVER_CONFIG, applicationServer);
        if (!properties.containsKey(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG)) {
            properties.putIfAbsent(
                    StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG),
                    MemberName.keptIn(
                            Path.of(config.text(Settings.STATE_DIR)),
                            config.text(Settings.APPLICATION_ID),
                            applicationServer,
                            topology.describe().toString()));
        }
        MeasuredStreams streams = new MeasuredStreams(topology, properties, new FencedClients(transactions));
        streams.setGlobalStateRestoreListener(new RestoreMeters(meters));
        streams.setUncaughtExceptionHandler(
                new ThreadRule(config.number(Settings.THREAD_REPLACEMENTS_PER_HOUR), clock));
        return streams;
    }
}
