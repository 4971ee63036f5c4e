package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnceRunnerTest {
    @TempDir
    Path directory;

    @Test
    void whatWasOpenedBeforeAFailedStartIsClosed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            OnceConfig config = config(taken.getLocalPort());
            Set<Thread> before = journals();
            Opened opened = new Opened();

            assertThatThrownBy(() -> new OnceRunner(config, 1, opened)).satisfies(failed -> {
                assertThat(journals()).hasSize(before.size() + 1);
                opened.closeAfter((RuntimeException) failed);
            });

            assertThat(journals()).isEqualTo(before);
        }
    }

    @Test
    void allAreClosedTheLastOneFirstWhateverOneOfThemThrows() {
        List<String> closed = new ArrayList<>();
        Opened opened = new Opened();
        opened.add(() -> closed.add("first"));
        opened.add(() -> {
            throw new IOException("cannot be closed");
        });
        opened.add(() -> closed.add("last"));
        IllegalStateException failure = new IllegalStateException("the reason");

        opened.closeAfter(failure);

        assertThat(closed).containsExactly("last", "first");
        assertThat(failure.getSuppressed())
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                .hasMessage("cannot be closed");
    }

    private OnceConfig config(int httpPort) {
        return OnceConfig.of(Map.of(
                // The discard port: a client is made without a connection.
                "bootstrap.servers",
                "127.0.0.1:9",
                "model.client",
                "simulated",
                "http.port",
                Integer.toString(httpPort),
                "state.dir",
                directory.resolve("state").toString()));
    }

    private static Set<Thread> journals() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("once-journal"))
                .collect(Collectors.toSet());
    }
}
