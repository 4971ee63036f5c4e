package io.hellogpt.once.cli;

import io.hellogpt.once.embedded.Narrator;
import java.io.PrintWriter;
import java.time.Duration;

/** One line of progress that overwrites itself on a terminal, and an occasional line where the output goes to a file. */
final class Terminal implements Narrator {
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final String ERASE = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean terminal = Boolean.getBoolean("once.terminal");
    private String shown = "";
    private long shownAt = System.nanoTime() - SILENCE.toNanos();

    Terminal(PrintWriter out) {
        this.out = out;
    }

    @Override
    public synchronized void say(String line) {
        clear();
        out.println(line);
        out.flush();
    }

    @Override
    public synchronized void progress(String text) {
        if (text.equals(shown)) {
            return;
        }
        if (terminal) {
            out.print(ERASE + text);
        } else if (System.nanoTime() - shownAt >= SILENCE.toNanos()) {
            out.println(text);
            shownAt = System.nanoTime();
        }
        shown = text;
        out.flush();
    }

    /** Leaves nothing of the line of progress. */
    synchronized void end() {
        clear();
        out.flush();
    }

    private void clear() {
        if (terminal && !shown.isEmpty()) {
            out.print(ERASE);
        }
        shown = "";
    }
}
