package io.hellogpt.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.embedded.FreePorts;
import io.hellogpt.once.ops.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.LogManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;

class OnceTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int once(String... arguments) {
        return Once.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void everyVerbExplainsItself() {
        CommandLine once = Once.commandLine();
        assertThat(once.getSubcommands().keySet())
                .contains("run", "topics", "submit", "tail", "status", "verify", "ledger", "config");
        assertThat(once.getSubcommands().values())
                .filteredOn(verb -> !verb.getCommandName().equals("help"))
                .allSatisfy(
                        verb -> assertThat(verb.getCommandSpec().usageMessage().header())
                                .isNotEmpty());
    }

    @Test
    void aMisspeltSettingEndsWithItsNearestNeighbour() {
        assertThat(once("config", "check", "--set", "dedup.retension=1d")).isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(err.toString()).contains("did you mean dedup.retention?");
    }

    @Test
    void aMisspeltVerbIsAUsageError() {
        assertThat(once("sumbit")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("submit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ledger list",
                "ledger show r-1:0.1",
                "ledger resolve r-1:0.1 failed --reason x",
                "ledger purge",
                "verify"
            })
    void aLedgerThatIsNoJdbcUrlIsOneLineWithoutThePassword(String verb) {
        for (String url : new String[] {"postgres://ann:secret@db:5432/once", "jdbc:postgresql://db:x/once", "db"}) {
            err.getBuffer().setLength(0);
            assertThat(once((verb + " --ledger " + url).split(" "))).isEqualTo(ExitCode.USAGE.code());
            assertThat(err.toString())
                    .startsWith("Invalid value for option '--ledger'")
                    .contains("jdbc:postgresql://host:port/database")
                    .doesNotContain("secret", "\tat ");
        }
    }

    @Test
    void whatAVerbCannotUnderstandIsAUsageErrorToo() {
        assertThat(once("tail", "nonsense")).isEqualTo(ExitCode.USAGE.code());
        assertThat(once("ledger", "show", "no-effect-id", "--ledger", "jdbc:postgresql://h/d"))
                .isEqualTo(ExitCode.USAGE.code());
    }

    @Test
    void badLinesAreNamedByTheirNumber() throws IOException {
        Path file = directory.resolve("requests.jsonl");
        Files.writeString(file, """
                {"request_id":"contract-1","model":"m","input":"write","policy":"commit-only"}

                {"request_id":"contract 2","model":"m","input":"write","policy":"commit-only"}
                nonsense
                """);

        assertThat(once("submit", "--dry-run", file.toString())).isEqualTo(ExitCode.BAD_INPUT.code());

        assertThat(err.toString()).contains("line 3: INVALID").contains("line 4: MALFORMED");
        assertThat(out.toString()).contains("1 valid, 2 refused, none sent");
    }

    @Test
    void anOperatorsCommandThatMakesNoSenseIsAUsageError() {
        assertThat(once("operate", "aprove", "contract-1", "--why", "fine")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("there is no verb aprove");

        assertThat(once("operate", "skip", "contract-1", "--effect", "contract-2:0.1", "--why", "gone"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("contract-2:0.1 does not belong to contract-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tail results", "status contract-1", "topics check", "verify"})
    void aBrokerThatIsNotThereIsSaidAtOnce(String verb) {
        String nobody = "127.0.0.1:" + FreePorts.next();

        assertThat(once((verb + " -b " + nobody).split(" "))).isEqualTo(ExitCode.UNREACHABLE.code());

        assertThat(err.toString()).contains("no broker answered at " + nobody);
    }

    @Test
    void aMissingFileIsBadInput() {
        assertThat(once("submit", "--dry-run", directory.resolve("none.jsonl").toString()))
                .isEqualTo(ExitCode.BAD_INPUT.code());
        assertThat(err.toString()).contains("there is no file");
    }

    @Test
    void whatTheHttpServerLogsGoesThroughTheLogOfTheCommand() {
        Once.bridgeLogging();

        assertThat(LogManager.getLogManager().getLogger("").getHandlers())
                .singleElement()
                .isInstanceOf(SLF4JBridgeHandler.class);
    }
}
