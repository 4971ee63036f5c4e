package io.hellogpt.once.embedded.chaos;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Programs of this machine that the rig can do without. */
final class Commands {
    private static final int NOT_RUN = 127;

    private Commands() {}

    /** Whether a program is on the PATH. */
    static boolean has(String program) {
        String path = System.getenv("PATH");
        return path != null
                && Arrays.stream(path.split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Runs a program to its end, its output thrown away; its exit code, 127 when there is none of this name. */
    static int run(List<String> command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException none) {
            return NOT_RUN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NOT_RUN;
        }
    }
}
