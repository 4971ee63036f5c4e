package io.hellogpt.once.replay.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PagesTest {
    @Test
    void thePagesSayWhatTheCodeDoes() throws Exception {
        for (Map.Entry<String, String> page : Pages.all().entrySet()) {
            Path file = Path.of("topology-docs", page.getKey());
            assertThat(file).as("run `make topology-docs`").exists();
            assertThat(Files.readString(file))
                    .as(page.getKey() + ": run `make topology-docs`")
                    .isEqualTo(page.getValue());
        }
    }

    @Test
    void everyPathEndsAsItsNameSays() {
        String paths = PathsPage.markdown();

        assertThat(section(paths, "Happy path")).contains("committed-results");
        assertThat(section(paths, "Duplicate")).contains("duplicate-requests: COMMITTED");
        assertThat(section(paths, "Conflict")).contains("rejected-requests: CONFLICT");
        assertThat(section(paths, "Model retry")).contains("O->>M: call 2");
        assertThat(section(paths, "Crash before the journal")).contains("O->>M: call 2");
        assertThat(section(paths, "Crash after the journal"))
                .contains("O->>C: effects: sign")
                .doesNotContain("O->>M: call 2");
        assertThat(section(paths, "UNKNOWN effect")).contains("HELD", "committed-results");
        assertThat(section(paths, "Compensation")).contains("undo", "failed-requests");
        assertThat(section(paths, "Callback")).contains("AWAITING_CALLBACK", "committed-results");
    }

    private static String section(String page, String title) {
        int start = page.indexOf("\n## " + title + "\n");
        assertThat(start).as(title).isPositive();
        int end = page.indexOf("\n## ", start + 4);
        return page.substring(start, end < 0 ? page.length() : end);
    }
}
