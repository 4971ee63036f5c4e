package io.hellogpt.once.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.embedded.ReceiverFaults;
import io.hellogpt.once.embedded.SimulatedModelConfig;
import io.hellogpt.once.embedded.SimulatedReceivers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once simulate-receivers}. */
@Command(
        name = "simulate-receivers",
        hidden = true,
        mixinStandardHelpOptions = true,
        header = "Run a signing API and a webhook that act once per Idempotency-Key, until stopped.",
        footerHeading = "%nExample:%n",
        footer = "  once simulate-receivers --port 8082 --log receivers.jsonl --faults '{\"error\": 0.1}'")
final class SimulateReceiversCommand implements Callable<Integer> {
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
            defaultValue = "receivers.jsonl",
            description = "Where each request is a line. Default: ${DEFAULT-VALUE}.")
    private Path log;

    @Option(
            names = "--faults",
            paramLabel = "JSON",
            defaultValue = "{}",
            description = "Shares of requests that go wrong: error, reset, slow (with slow_millis).")
    private String faults;

    @Option(names = "--seed", paramLabel = "N", description = "Makes faults the same each time.")
    private Long seed;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (SimulatedReceivers receivers = SimulatedReceivers.start(
                new InetSocketAddress(host, port),
                log,
                new ObjectMapper().readValue(faults, ReceiverFaults.class),
                seed == null ? ThreadLocalRandom.current().nextLong() : seed)) {
            spec.commandLine().getOut().println("http://127.0.0.1:" + receivers.port());
            spec.commandLine().getOut().flush();
            new CountDownLatch(1).await();
        }
        return 0;
    }
}
