package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hellogpt.once.embedded.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KcatProducerTest {
    private static final Duration BOUND = Duration.ofSeconds(60);

    @TempDir
    Path dir;

    /** As it does by itself when it can reach no broker at all. */
    @Test
    void oneThatHasEndedIsReplacedByTheNextRecord() {
        assumeTrue(KcatProducer.isInstalled(), "kcat is not installed here");
        KcatProducer kcat = KcatProducer.start("127.0.0.1:" + FreePorts.next(), dir.resolve("kcat.log"));
        long first = kcat.pid();
        kcat.kill();

        await().atMost(BOUND).until(() -> {
            kcat.send("key", new byte[] {'x'});
            return kcat.pid() != first;
        });

        assertThat(kcat.sent()).isPositive();
        kcat.kill();
        kcat.close();
    }
}
