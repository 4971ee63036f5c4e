package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** OpenAI's own client for Node, installed below target by npm. */
final class OpenAiNode {
    private static final Path SOURCES = Path.of("src/test/openai");
    private static final Path HOME = Path.of("target/openai-client");

    private OpenAiNode() {}

    /** Skips the test, and says so, where Node is missing or npm cannot fetch the client. */
    static void assumeInstalled(String test) throws Exception {
        assume(
                test,
                isThere("node") && isThere("npm"),
                "node and npm are not installed on this machine (apt install npm)");
        Files.createDirectories(HOME);
        for (String file : List.of("package.json", "ask.mjs")) {
            Files.copy(SOURCES.resolve(file), HOME.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        if (!Files.exists(HOME.resolve("node_modules/openai/package.json"))) {
            Process npm = process(
                    List.of("npm", "install", "--no-package-lock", "--no-audit", "--no-fund"), HOME.resolve("npm.log"));
            boolean installed = npm.waitFor(5, TimeUnit.MINUTES) && npm.exitValue() == 0;
            npm.destroyForcibly();
            assume(test, installed, "npm cannot fetch the client; see " + HOME.resolve("npm.log"));
        }
    }

    private static void assume(String test, boolean given, String otherwise) {
        if (!given) {
            System.out.println(test + " is skipped: " + otherwise + ".");
        }
        assumeTrue(given, otherwise);
    }

    private static boolean isThere(String command) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
    }

    private static Process process(List<String> command, Path output) throws IOException {
        return new ProcessBuilder(command)
                .directory(HOME.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** A question that is on its way. */
    record Asked(Process process, Path output) {
        /** What came of it. */
        JsonNode answer() throws Exception {
            try {
                assertThat(process.waitFor(4, TimeUnit.MINUTES))
                        .as("the client ends")
                        .isTrue();
            } finally {
                process.destroyForcibly();
            }
            return new ObjectMapper().readTree(Files.readString(output));
        }
    }

    static Asked ask(String base, String key, String mode, String text) throws IOException {
        Path output = Files.createTempFile(HOME.toAbsolutePath(), "ask", ".json");
        return new Asked(process(List.of("node", "ask.mjs", base + "/v1", key, mode, text), output), output);
    }
}
