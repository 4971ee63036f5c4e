package io.hellogpt.once.embedded.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Processor time of a process together with its children, those that have ended included where the operating system tells. */
final class ProcessorTime {
    /** What {@code /proc} counts in, for every program on every Linux: USER_HZ, see proc(5). */
    private static final double TICKS_PER_SECOND = 100;
    /** utime, stime, cutime and cstime of proc(5), counted from the field behind the name. */
    private static final int FIRST = 11;

    private static final int LAST = 14;

    private ProcessorTime() {}

    /** Seconds so far; 0 for a process that does not run. */
    static double seconds(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .mapToDouble(ProcessorTime::own)
                .sum();
    }

    /** Seconds of this JVM so far, without its children. */
    static double ofThisProcess() {
        return used(ProcessHandle.current());
    }

    /** Of one process, and of its children that have ended: those that live are asked themselves. */
    private static double own(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            // The name stands in parentheses and may hold anything.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long ticks = 0;
            for (int field = FIRST; field <= LAST; field++) {
                ticks += Long.parseLong(fields[field]);
            }
            return ticks / TICKS_PER_SECOND;
        } catch (IOException elsewhere) {
            return used(process);
        }
    }

    private static double used(ProcessHandle process) {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e9;
    }
}
