package io.hellogpt.once.cli;

import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.replay.docs.Pages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code once docs}: for {@code make topology-docs}. */
@Command(
        name = "docs",
        hidden = true,
        mixinStandardHelpOptions = true,
        header = "Write the pages of topology-docs that are made from the code.")
final class DocsCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "Where to.")
    private Path directory;

    @Override
    public Integer call() throws IOException {
        Pages.write(directory);
        return ExitCode.OK.code();
    }
}
