package io.hellogpt.once.cli;

import ch.qos.logback.classic.LoggerContext;
import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.ops.OnceRunner;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code once run}. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        header = "Run one instance until SIGTERM or Ctrl-C.",
        description = {
            "",
            "Checks the topics, starts, and serves /health/live, /health/ready, /metrics and /v1/requests/ID. A SIGTERM stops"
                    + " dispatch, waits up to shutdown.drain.timeout for running model calls, hands over what is left and ends.",
            "",
            "All settings: topology-docs/configuration.md, or `once config reference`."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped as asked",
            "3:the cluster cannot be reached",
            "4:the configuration cannot be used",
            "5:topics are missing or set up differently",
            "6:the stream died; a supervisor may start it again",
            "7:stopped as asked, but model calls were still running and will be repeated"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  once run --config once.properties",
            "  once run -b localhost:9092 --set model.client=simulated --set state.dir=/var/lib/once"
        })
final class RunCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Override
    public Integer call() throws InterruptedException {
        OnceRunner runner = OnceRunner.start(connection.cluster());
        Thread onSignal = Thread.ofPlatform().unstarted(() -> {
            ExitCode code = runner.stop();
            ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
            // A JVM that ends by a signal exits with 128 + its number, whatever its hooks did; the supervisor is to see
            // how it went.
            Runtime.getRuntime().halt(code.code());
        });
        Runtime.getRuntime().addShutdownHook(onSignal);
        return runner.awaitEnd().code();
    }
}
