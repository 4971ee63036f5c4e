package io.hellogpt.once.cli;

import java.io.PrintWriter;

/** A bar on a terminal; nothing where the output goes to a file. Not safe for use by several threads. */
final class Progress {
    private static final int WIDTH = 30;

    private final PrintWriter err;
    private final boolean terminal;
    private int drawn = -1;

    Progress(PrintWriter err) {
        this.err = err;
        // The launcher asks the shell: Java cannot tell a terminal from a file before 22.
        this.terminal = Boolean.getBoolean("once.terminal");
    }

    void show(long done, long all, String what) {
        int filled = all == 0 ? WIDTH : (int) (done * WIDTH / all);
        int step = all == 0 ? 100 : (int) (done * 100 / all);
        if (!terminal || step == drawn) {
            return;
        }
        drawn = step;
        err.printf(
                "\r[%s%s] %3d %%  %,d of %,d %s",
                "#".repeat(filled), " ".repeat(WIDTH - filled), step, done, all, what);
        err.flush();
    }

    /** One line of words in the place of the bar. */
    void line(String text) {
        if (terminal) {
            drawn = 0;
            err.printf("\r%-78s", text);
            err.flush();
        }
    }

    void end() {
        if (terminal && drawn >= 0) {
            err.println();
        }
    }
}
