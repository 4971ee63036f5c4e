package io.hellogpt.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReplayCommandTest {
    private static final Path CAPTURE = Path.of("src/test/resources/captures/0.1.0.avro");

    @TempDir
    Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void whatHappensAgainIsEqual() throws Exception {
        Path page = dir.resolve("report.html");
        Path json = dir.resolve("report.json");

        assertThat(once("replay", CAPTURE.toString(), "--html", page.toString(), "--json", json.toString()))
                .isZero();

        assertThat(out.toString()).contains("equal: ", " 0 differences");
        assertThat(Files.readString(page))
                .contains("<!doctype html>", "class=\"EQUAL\"")
                .doesNotContain("<script", "http");
        assertThat(Files.readString(json)).contains("\"result\" : \"EQUAL\"");
    }

    @Test
    void anotherSettingDiverges() {
        assertThat(once("replay", CAPTURE.toString(), "--config", "billing.route=elsewhere"))
                .isEqualTo(1);

        assertThat(out.toString()).contains("requests would be decided otherwise", "divergent: ");
    }

    @Test
    void oneRequestsStatesAreShownUntilItsEnd() {
        String id = firstId();

        once("replay", CAPTURE.toString(), "--until", id, "--step");

        assertThat(out.toString()).contains(id + "  GENERATING call 1");
    }

    private String firstId() {
        once("replay", CAPTURE.toString(), "--step");
        return out.toString()
                .lines()
                .filter(line -> line.contains("GENERATING call 1"))
                .map(line -> line.replaceAll(".* ([a-z]+-\\S{36})  GENERATING.*", "$1"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aFileThatIsCutGivesOneClearError() throws Exception {
        byte[] whole = Files.readAllBytes(CAPTURE);
        Path cut = Files.write(dir.resolve("cut.avro"), Arrays.copyOf(whole, whole.length - 40));

        assertThat(once("replay", cut.toString())).isEqualTo(2);

        assertThat(err.toString().lines()).singleElement().asString().contains("cut.avro cannot be replayed: it is ");
    }

    @Test
    void aFileThatIsNotThereGivesOneClearError() {
        assertThat(once("replay", dir.resolve("none.avro").toString())).isEqualTo(2);
        assertThat(once("capture", "--show", dir.resolve("none.avro").toString()))
                .isEqualTo(2);

        assertThat(err.toString().lines())
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).startsWith("once: there is no file ").endsWith("none.avro"));
    }

    @Test
    void aForeignFileGivesOneClearError() throws Exception {
        Path notes = Files.writeString(dir.resolve("notes.txt"), "not a capture");

        assertThat(once("replay", notes.toString())).isEqualTo(2);

        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("notes.txt cannot be replayed: it is not a capture, but something else");
    }

    @Test
    void theSpeedIsTold() {
        once("replay", CAPTURE.toString());

        assertThat(out.toString()).containsPattern("; [0-9,]+ requests a minute");
    }

    @Test
    void theManifestCanBeShown() {
        assertThat(once("capture", "--show", CAPTURE.toString())).isZero();

        assertThat(out.toString()).contains("\"selection\" : \"EVERYTHING\"");
    }

    private int once(String... arguments) {
        CommandLine line = Once.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}
