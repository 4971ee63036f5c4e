package io.hellogpt.once.cli;

import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.ops.InstanceHealth;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.RequestStory;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code once status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        header = "Tell what happened to one request, and what it waits for.",
        description = {
            "",
            "Reads the request's partition of every topic, committed records only, so it works while all instances are down. On"
                    + " large topics that takes a while; a running instance answers at once at /v1/requests/ID."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  once status contract-3f2c0f5e-0000-4000-8000-000000000001",
            "  once status contract-1 --url http://localhost:8080    also ask an instance why it waits"
        })
final class StatusCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "ID", description = "The request_id.")
    private String id;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "An instance to ask for its health; may be given more than once.")
    private List<URI> instances = List.of();

    @Override
    public Integer call() throws InterruptedException {
        OnceConfig config = connection.cluster();
        RequestStory story = RequestStory.read(config, id);
        PrintWriter out = spec.commandLine().getOut();
        story.tell(Instant.now()).forEach(out::println);
        for (URI instance : instances) {
            InstanceHealth.ask(instance).forEach(out::println);
        }
        return (story.isKnown() ? ExitCode.OK : ExitCode.NOT_FOUND).code();
    }
}
