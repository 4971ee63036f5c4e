package io.hellogpt.once.cli;

import io.hellogpt.once.embedded.EmbeddedException;
import io.hellogpt.once.embedded.Stack;
import io.hellogpt.once.embedded.StackSettings;
import io.hellogpt.once.ops.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** What {@code demo} and {@code up} have in common: a stack from its start to its end, and nothing else on the terminal. */
final class StackRun {
    private static final String PLUGIN_PATH = "once.connect.plugin.path";

    private final Terminal terminal;
    private final Path directory;

    /** What is done with a stack that is up. */
    interface Use<T> {
        T apply(Stack stack, Terminal terminal) throws IOException, SQLException, InterruptedException;
    }

    /**
     * @param chosen by the user, or null
     * @param name of the directory beside the build's other output, when none was chosen
     */
    StackRun(PrintWriter out, Path chosen, String name) {
        this.terminal = new Terminal(out);
        this.directory = directory(chosen, name);
    }

    /** Where data and logs go: what was chosen, or else beside the build's other output. */
    static Path directory(Path chosen, String name) {
        return Optional.ofNullable(chosen)
                .or(() -> Optional.ofNullable(System.getProperty(PLUGIN_PATH))
                        .map(path -> Path.of(path).resolveSibling(name)))
                .orElse(Path.of(name));
    }

    <T> T run(StackSettings settings, Use<T> use) throws IOException, SQLException, InterruptedException {
        try (Stack stack = Stack.create(directory, settings)) {
            QuietLog.to(stack.logs().resolve("once.log"));
            stack.start(terminal::progress);
            T result = use.apply(stack, terminal);
            terminal.progress("stopping everything");
            return result;
        } catch (EmbeddedException e) {
            if (Stack.isProcessEnding()) {
                // Ctrl-C takes the parts away, which is no failure; the process ends when its hook has ended them.
                new CountDownLatch(1).await();
            }
            throw e;
        } finally {
            terminal.end();
        }
    }

    /** Prints the addresses of a stack that stays up, then waits for Ctrl-C. */
    static ExitCode stay(Stack stack, Terminal terminal) throws InterruptedException {
        terminal.say(addresses(stack));
        stack.watch(terminal::say);
        new CountDownLatch(1).await();
        return ExitCode.OK;
    }

    private static String addresses(Stack stack) {
        StringBuilder text = new StringBuilder();
        line(text, "console", stack.instances().getFirst().address() + "/");
        line(text, "brokers", stack.broker().address());
        line(text, "Connect REST", stack.worker().address());
        stack.instances().forEach(instance -> line(text, instance.name(), instance.address()));
        line(text, "database", stack.database().address());
        line(text, "model", stack.model().address() + "/v1");
        line(text, "receivers", stack.receivers().address());
        line(text, "files and logs", stack.directory().toString());
        String brokers = " -b " + stack.broker().address();
        return text.append("%nTry:  bin/once submit%s requests.jsonl%n".formatted(brokers))
                .append("      bin/once tail%s results%n".formatted(brokers))
                .append("Ctrl-C stops everything.")
                .toString();
    }

    private static void line(StringBuilder text, String what, String address) {
        text.append("  %-14s  %s%n".formatted(what, address));
    }
}
