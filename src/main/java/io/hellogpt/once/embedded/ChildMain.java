package io.hellogpt.once.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another class's {@code main} and ends the process when standard input reaches its end.
 *
 * <p>The parent holds the other end of that pipe and never writes to it, so the kernel closes it whatever the parent dies of. Without
 * this a parent killed with SIGKILL would leave brokers and workers behind on their ports. Depends on nothing but the JDK: the
 * Connect worker gets this class file alone, not the product's classes.
 */
public final class ChildMain {
    /** Exit code of a child whose parent is gone. */
    static final int ORPHANED = 66;

    private ChildMain() {}

    /** @param args the main class, then its arguments */
    public static void main(String[] args) throws Throwable {
        Thread watch = new Thread(ChildMain::haltAtEndOfInput, "parent-watch");
        watch.setDaemon(true);
        watch.start();
        try {
            Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Halts rather than exits: with the parent dead its other children are dying too, and an orderly stop could wait for them. */
    private static void haltAtEndOfInput() {
        try (InputStream in = System.in) {
            while (in.read() >= 0) {
                // The parent writes nothing; whatever arrives means that it lives.
            }
        } catch (IOException e) {
            System.err.println("standard input failed, the parent counts as gone: " + e);
        }
        Runtime.getRuntime().halt(ORPHANED);
    }
}
