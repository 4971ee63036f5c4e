package io.hellogpt.once.ops.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.api.RequestLookup.Unavailable;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.topology.Stores;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreLookupTest {
    private static final RequestId ID = new RequestId("contract-1");

    @TempDir
    Path dir;

    /** The pages answer until the last moment, when the stores are gone. */
    @Test
    void anInstanceThatHasNotBegunOrIsEndingSaysThatItCannotAnswerNow() {
        KafkaStreams streams = streams();
        StoreLookup lookup = new StoreLookup(streams, new HostInfo("here", 1));
        assertThat(lookup.find(ID)).isInstanceOf(Unavailable.class);

        streams.close();

        assertThat(lookup.find(ID)).isInstanceOf(Unavailable.class);
        assertThat(lookup.stale(ID)).isEmpty();
        assertThat(lookup.standbys(ID)).isEmpty();
        assertThat(lookup.others()).isEmpty();
        assertThat(new Backlog(streams, 10).count()).isZero();
    }

    private KafkaStreams streams() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.table("in", Consumed.with(Serdes.String(), Serdes.String()), Materialized.as(Stores.REQUESTS_BY_ID));
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "lookup");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, dir.toString());
        return new KafkaStreams(builder.build(), properties);
    }
}
