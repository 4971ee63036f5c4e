package io.hellogpt.once.embedded;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a child JVM runs.
 *
 * @param name how logs and errors call it
 * @param mainClass class whose {@code main} is run; must end at the end of standard input, as {@link ChildMain} does
 * @param arguments its arguments
 * @param jvmOptions options of the JVM, heap first
 * @param classpath its classpath
 * @param log file its output is appended to
 * @param environment variables it has besides this process's own
 */
public record ChildSpec(
        String name,
        String mainClass,
        List<String> arguments,
        List<String> jvmOptions,
        String classpath,
        Path log,
        Map<String, String> environment) {
    public ChildSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(mainClass, "mainClass");
        arguments = List.copyOf(arguments);
        jvmOptions = List.copyOf(jvmOptions);
        Objects.requireNonNull(classpath, "classpath");
        Objects.requireNonNull(log, "log");
        environment = Map.copyOf(environment);
    }

    /** A child with this process's environment. */
    public ChildSpec(
            String name,
            String mainClass,
            List<String> arguments,
            List<String> jvmOptions,
            String classpath,
            Path log) {
        this(name, mainClass, arguments, jvmOptions, classpath, log, Map.of());
    }

    /** Any class with a {@code main}, run under {@link ChildMain} on this JVM's own classpath. */
    public static ChildSpec of(
            String name, String mainClass, List<String> arguments, List<String> jvmOptions, Path log) {
        return new ChildSpec(
                name, ChildMain.class.getName(), prepend(mainClass, arguments), jvmOptions, ownClasspath(), log);
    }

    /** The same child on another classpath, which must hold {@link ChildMain}. */
    ChildSpec on(String otherClasspath) {
        return new ChildSpec(name, mainClass, arguments, jvmOptions, otherClasspath, log, environment);
    }

    /** The same child with further variables in its environment. */
    ChildSpec with(Map<String, String> more) {
        return new ChildSpec(name, mainClass, arguments, jvmOptions, classpath, log, more);
    }

    /**
     * Options of a JVM that shares the machine with several others: small, and with the quick compiler only, which halves the
     * processor time of a broker's start.
     */
    static List<String> jvm(int initialMegabytes, int maximumMegabytes, String... more) {
        return Stream.concat(
                        Stream.of(
                                "-Xms" + initialMegabytes + "m",
                                "-Xmx" + maximumMegabytes + "m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1"),
                        Stream.of(more))
                .toList();
    }

    static String ownClasspath() {
        return System.getProperty("java.class.path");
    }

    List<String> command() {
        String java = String.join(File.separator, System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(ignoringInterrupts());
        command.add(java);
        command.addAll(jvmOptions);
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    private static List<String> prepend(String first, List<String> rest) {
        return Stream.concat(Stream.of(first), rest.stream()).toList();
    }

    /**
     * Ctrl-C in a terminal interrupts the whole process group at once. A broker that goes down together with the applications makes
     * their draining hang, so children ignore the interrupt (HotSpot respects a signal ignored at start-up) and the parent ends them
     * in order. {@code exec} keeps the process id.
     */
    private static List<String> ignoringInterrupts() {
        return List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "child");
    }
}
