package io.hellogpt.once.embedded.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.topology.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an instance leaves the group and comes back to it, on a broker that would wait half an hour for a member it misses. */
class MembershipIT {
    private static final Map<String, String> HARDLY_EVER_MISSED =
            Map.of("kafka.consumer.session.timeout.ms", "1800000");
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int REQUESTS = 40;

    private Lab lab;

    @BeforeEach
    void open(@TempDir Path dir) throws InterruptedException {
        lab = Lab.open(dir, line -> {});
        lab.fresh();
    }

    @AfterEach
    void close() {
        lab.close();
    }

    @Test
    void whoComesBackAfterAKillIsGivenItsPartitionsAtOnce() throws Exception {
        try (Subject instance = lab.instance(HARDLY_EVER_MISSED).start()) {
            instance.kill();

            instance.start();

            assertThat(ended("after-kill-")).isEqualTo(REQUESTS);
        }
    }

    @Test
    void whoStopsInOrderLeavesItsPartitionsToTheOthers() throws Exception {
        List<Subject> both = lab.instances(2, HARDLY_EVER_MISSED);
        try (Subject leaver = both.getFirst().start();
                Subject other = both.getLast().start()) {
            leaver.stop();

            assertThat(ended("after-stop-")).isEqualTo(REQUESTS);
            assertThat(other.metrics()).contains("once_requests_total");
        }
    }

    private long ended(String prefix) throws InterruptedException {
        try (Arrived arrived = Arrived.in(lab.client(), Topics.COMMITTED_RESULTS)) {
            Load.send(lab.client(), prefix, 0, REQUESTS, 1, Load.Kind.PLAIN);
            arrived.await(REQUESTS, PATIENCE);
            return arrived.count();
        }
    }
}
