package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.ops.TopicCatalogue.Topic;
import io.hellogpt.once.topology.Topics;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TopicCatalogueTest {
    private final TopicCatalogue catalogue = TopicCatalogue.standard();

    @Test
    void itKnowsEveryTopicTheTopologyReadsOrWrites() {
        assertThat(catalogue.topics())
                .extracting(Topic::name)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Topics.INPUTS, Topics.OUTPUTS, List.of(Topics.TASK_STEPS))
                                .flatMap(List::stream)
                                .toList());
        assertThat(catalogue.topics().stream().filter(Topic::input).map(Topic::name))
                .containsExactlyInAnyOrderElementsOf(Topics.INPUTS);
    }

    @Test
    void theDedupWindowMovesWithTheBrokersTime() {
        assertThat(catalogue.topics().stream().filter(Topic::appendTime).map(Topic::name))
                .containsExactlyInAnyOrder(Topics.REQUESTS, Topics.REQUESTS_REROUTED);
    }

    @Test
    void losingOneCopyStopsNothingAndLosingTwoStopsWrites() {
        assertThat(TopicCatalogue.minInSync(3)).isEqualTo(2);
        assertThat(TopicCatalogue.minInSync(1)).isEqualTo(1);
    }
}
