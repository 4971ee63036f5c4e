package io.hellogpt.once.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The client kcat, which is librdkafka: no Java, and a partitioner of its own (CRC32). */
public final class Kcat {
    private Kcat() {}

    /** Skips the test, and says so, on a machine without it. */
    public static void assumeInstalled(String test) {
        boolean installed = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kcat")));
        if (!installed) {
            System.out.println(test + " is skipped: kcat is not installed on this machine (apt install kcat).");
        }
        assumeTrue(installed, "kcat is not installed");
    }

    /**
     * Starts it with its output in a file.
     *
     * @param arguments after {@code kcat}
     */
    static Running start(Path output, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("kcat"));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            return new Running(process, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    record Running(Process process, Path output) {
        /** Waits for its end, which must be a good one, and gives what it wrote. */
        List<String> lines() throws Exception {
            int exit = process.waitFor();
            List<String> lines = Files.readAllLines(output);
            assertThat(exit).as(() -> String.join("\n", lines)).isZero();
            return lines;
        }
    }
}
