package io.hellogpt.once.embedded;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** Signals Java has no method for. */
final class Signals {
    private Signals() {}

    /**
     * Sends a signal to all that still live.
     *
     * @param signal without {@code SIG}
     * @throws EmbeddedException if none could be sent it
     */
    static void send(String signal, List<Long> pids) {
        String targets = pids.stream().map(String::valueOf).collect(Collectors.joining(" "));
        String problem = "pid %s could not be sent SIG%s".formatted(targets, signal);
        try {
            // The shell's own kill: not every image has one in /bin.
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + targets).start();
            int failed = kill.waitFor();
            // With several, one that has ended meanwhile is no failure.
            if (failed != 0 && pids.size() == 1) {
                throw new EmbeddedException(problem);
            }
        } catch (IOException e) {
            throw new EmbeddedException(problem, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedException("interrupted while signalling " + targets, e);
        }
    }
}
