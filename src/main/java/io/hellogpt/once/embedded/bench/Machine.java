package io.hellogpt.once.embedded.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a run took place; never its name.
 *
 * @param processors this JVM may use
 */
record Machine(String cpu, int processors, long memoryMegabytes, String os, String java) {
    static Machine here() {
        return new Machine(
                line("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                memory(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"));
    }

    private static long memory() {
        String digits = line("/proc/meminfo", "MemTotal").replaceAll("[^0-9]", "");
        return digits.isEmpty() ? 0 : Long.parseLong(digits) / 1024;
    }

    private static String line(String file, String name) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException elsewhere) {
            return "unknown";
        }
    }
}
