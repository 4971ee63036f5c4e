package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.core.Effect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the ledger keeps of an effect, what it never does, and who may take anything out of it. */
class LedgerContentIT {
    private static final String TOKEN = "t0ken-of-the-route";
    private static final String SECRET = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String SIGNATURE = "v1,";

    private PipelineRig rig;

    @BeforeEach
    void open() throws IOException {
        rig = new PipelineRig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void itIsThereBeforeTheFirstEffect() {
        rig.start();

        await().atMost(PipelineRig.BOUND)
                .until(() -> Databases.number(
                                rig.url,
                                "SELECT count(*) FROM pg_tables WHERE schemaname = 'once_ledger' AND tablename = 'effect'")
                        == 1);
    }

    @Test
    void theExactBytesAreKeptAndCredentialsAndSignaturesAreNot() {
        Route route = Routes.of(
                "class",
                "KEYED",
                "url",
                rig.receiver.url(),
                "key.window.ms",
                "3600000",
                "auth.type",
                "bearer",
                "auth.token",
                TOKEN,
                "signing.secrets",
                "whsec_" + SECRET);
        Effect effect = Effects.of("r-1", 1, "r", 1);
        rig.receiver.then(Receiver.status(422, ""));

        rig.start(Map.of("r", route)).process(List.of(rig.delivery(effect), rig.delivery(Effects.again(effect, 2))));

        Receiver.Call call = rig.receiver.calls().getFirst();
        assertThat(call.header("Authorization")).isEqualTo("Bearer " + TOKEN);
        assertThat(call.header("webhook-signature")).startsWith(SIGNATURE);
        assertThat(rows("effect WHERE convert_from(request_body, 'UTF8') = '" + call.body() + "'"))
                .isOne();
        assertThat(rows("effect")).isOne();
        assertThat(rows("effect_attempt")).isEqualTo(2);
        for (String secret : List.of(TOKEN, SECRET, call.header("webhook-signature"))) {
            for (String table : List.of("effect", "effect_attempt", "billing")) {
                assertThat(rows(table + " AS kept WHERE position('" + secret + "' IN kept::text || "
                                + (table.equals("effect") ? "convert_from(request_body, 'UTF8')" : "''") + ") > 0"))
                        .isZero();
            }
        }
    }

    /** A failure that took a row away would let the effect be carried out again. */
    @Test
    void onlyThePurgeTakesAnythingOutOfTheLedger() throws IOException {
        try (Stream<Path> files = Stream.concat(
                Files.walk(Path.of("src/main/java/io/hellogpt/once/connect")),
                Files.walk(Path.of("src/main/resources/once-ledger")))) {
            assertThat(files.filter(Files::isRegularFile).filter(LedgerContentIT::deletes))
                    .extracting(file -> file.getFileName().toString())
                    .containsExactly("PurgeSql.java");
        }
    }

    private static boolean deletes(Path file) {
        try {
            String text = Files.readString(file);
            return Stream.of("DELETE FROM", "TRUNCATE ", "DROP TABLE").anyMatch(text::contains);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long rows(String from) {
        return Databases.number(rig.url, "SELECT count(*) FROM once_ledger." + from);
    }
}
