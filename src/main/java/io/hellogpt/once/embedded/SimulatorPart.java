package io.hellogpt.once.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A simulated server as a child process: one of the hidden verbs of the command, which take a port and a log. */
public final class SimulatorPart extends ChildPart {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);

    private final String name;
    private final Path workDir;
    private final Path calls;
    private final List<String> command;
    private final int port = FreePorts.next();

    private SimulatorPart(String name, Path workDir, List<String> command) {
        this.name = name;
        this.workDir = workDir;
        this.calls = workDir.resolve(name + ".jsonl");
        this.command = command;
    }

    static SimulatorPart model(Path workDir, StackSettings settings) {
        return new SimulatorPart(
                "model",
                workDir,
                List.of(
                        "simulate-model",
                        "--latency-ms",
                        Long.toString(settings.modelLatencyMillis()),
                        "--token-ms",
                        Double.toString(settings.modelMillisPerToken())));
    }

    static SimulatorPart receivers(Path workDir) {
        return receivers(workDir, List.of());
    }

    /** A model with options of the hidden verb {@code simulate-model}. */
    public static SimulatorPart model(Path workDir, List<String> options) {
        return new SimulatorPart("model", workDir, joined("simulate-model", options));
    }

    /** Receivers with options of the hidden verb {@code simulate-receivers}. */
    public static SimulatorPart receivers(Path workDir, List<String> options) {
        return new SimulatorPart("receivers", workDir, joined("simulate-receivers", options));
    }

    private static List<String> joined(String verb, List<String> options) {
        return Stream.concat(Stream.of(verb), options.stream()).toList();
    }

    /** Where the server itself writes down every call. */
    public Path calls() {
        return calls;
    }

    @Override
    public String address() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    ChildSpec spec() {
        List<String> arguments = new ArrayList<>(command);
        arguments.addAll(List.of("--port", Integer.toString(port), "--log", calls.toString()));
        return ChildSpec.of(
                name,
                OnceInstance.COMMAND,
                arguments,
                ChildSpec.jvm(32, 128),
                workDir.resolve("logs").resolve(name + ".log"));
    }

    @Override
    void awaitReady(ChildProcess child) {
        child.awaitReady("its port " + port, READY_TIMEOUT, () -> Probes.accepts(port));
    }
}
