package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.EffectSinkConfig;
import io.hellogpt.once.connect.config.SinkKeys;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/** Carries the effects of a topic out and reports what became of each. */
public final class EffectSinkConnector extends SinkConnector {
    private Map<String, String> props = Map.of();

    @Override
    public String version() {
        return ConnectorVersion.get();
    }

    @Override
    public ConfigDef config() {
        return EffectSinkConfig.definition();
    }

    /** Judges single values and what they mean together; see {@link EffectSinkConfig#problems}. */
    @Override
    public Config validate(Map<String, String> connectorConfigs) {
        Config config = super.validate(connectorConfigs);
        for (ConfigValue value : config.configValues()) {
            if (value.name().equals(SinkKeys.ROUTES)) {
                EffectSinkConfig.problems(connectorConfigs).forEach(value::addErrorMessage);
            }
        }
        return config;
    }

    @Override
    public void start(Map<String, String> connectorConfigs) {
        props = new EffectSinkConfig(connectorConfigs).originalsStrings();
    }

    @Override
    public Class<? extends Task> taskClass() {
        return EffectSinkTask.class;
    }

    /** Every task has the same configuration; the partitions are what they divide among them. */
    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        return Collections.nCopies(maxTasks, props);
    }

    @Override
    public void stop() {
        props = Map.of();
    }
}
