package io.hellogpt.once.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.embedded.SimulatedModelConfig;
import io.hellogpt.once.embedded.SimulatedModelFaults;
import io.hellogpt.once.embedded.SimulatedModelServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once simulate-model}. */
@Command(
        name = "simulate-model",
        hidden = true,
        mixinStandardHelpOptions = true,
        header = "Run a model server that answers at random, until it is stopped.",
        footerHeading = "%nExample:%n",
        footer = "  once simulate-model --port 8081 --log calls.jsonl --faults '{\"rate_limited\": 0.1}'")
final class SimulateModelCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = SimulatedModelConfig.LOOPBACK,
            description = "Address to listen on; 0.0.0.0 for all, as in a container. Default: ${DEFAULT-VALUE}.")
    private String host;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "0", description = "0 for a free one. Default: 0.")
    private int port;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            defaultValue = "model-calls.jsonl",
            description = "Where each call is a line. Default: ${DEFAULT-VALUE}.")
    private Path log;

    @Option(names = "--latency-ms", paramLabel = "MS", defaultValue = "0", description = "Least time of a call.")
    private long latencyMillis;

    @Option(names = "--token-ms", paramLabel = "MS", defaultValue = "0", description = "Time per token of the answer.")
    private double tokenMillis;

    @Option(names = "--tokens", paramLabel = "N", defaultValue = "60", description = "Median tokens of an answer.")
    private int tokens;

    @Option(
            names = "--faults",
            paramLabel = "JSON",
            defaultValue = "{}",
            description = "Shares of calls that go wrong.")
    private String faults;

    @Option(names = "--seed", paramLabel = "N", description = "Makes answers and faults the same each time.")
    private Long seed;

    @Override
    public Integer call() throws IOException, InterruptedException {
        SimulatedModelConfig config = new SimulatedModelConfig(
                host,
                port,
                log,
                new SimulatedModelConfig.Latency(Duration.ofMillis(latencyMillis), tokenMillis, tokens),
                SimulatedModelFaults.fromJson(new ObjectMapper().readTree(faults)),
                seed == null ? OptionalLong.empty() : OptionalLong.of(seed));
        try (SimulatedModelServer server = SimulatedModelServer.start(config)) {
            spec.commandLine().getOut().println(server.baseUrl());
            spec.commandLine().getOut().flush();
            new CountDownLatch(1).await();
        }
        return 0;
    }
}
