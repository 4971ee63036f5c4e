package io.hellogpt.once.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * When requests arrive and how long prompt and answer are: read from a recorded trace, or generated with the percentiles of one.
 *
 * <p>A trace is a CSV file with a header and the columns time stamp ({@code yyyy-MM-dd HH:mm:ss[.fraction]}), prompt tokens,
 * answer tokens; the public LLM inference traces of Azure have this form.
 */
public final class Arrivals {
    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss[.SSSSSSS]");
    private static final double Z99 = 2.326;

    private Arrivals() {}

    /**
     * One request.
     *
     * @param at since the first arrival
     */
    public record Arrival(Duration at, int promptTokens, int answerTokens) {}

    /**
     * Reads a trace.
     *
     * @throws IOException when the file cannot be read, or a line has not the form; the line is named
     */
    public static List<Arrival> read(Path csv) throws IOException {
        List<String> lines;
        try (Stream<String> all = Files.lines(csv)) {
            lines = all.skip(1).filter(line -> !line.isBlank()).toList();
        }
        List<Arrival> arrivals = new ArrayList<>(lines.size());
        LocalDateTime first = null;
        for (int i = 0; i < lines.size(); i++) {
            try {
                String[] columns = lines.get(i).split(",");
                LocalDateTime time = LocalDateTime.parse(columns[0].strip(), TIMESTAMP);
                first = first == null ? time : first;
                arrivals.add(new Arrival(
                        Duration.between(first, time),
                        Integer.parseInt(columns[1].strip()),
                        Integer.parseInt(columns[2].strip())));
            } catch (RuntimeException malformed) {
                throw new IOException(
                        "%s, line %d: expected time,prompt tokens,answer tokens".formatted(csv, i + 2), malformed);
            }
        }
        return arrivals;
    }

    /**
     * Generates arrivals: a Poisson process with log-normal lengths, prompts with a median of 1,020 tokens (99th percentile 4,142),
     * answers of 129 (601), as in a chat service.
     */
    public static List<Arrival> generate(int count, double perSecond, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Arrival> arrivals = new ArrayList<>(count);
        double seconds = 0;
        for (int i = 0; i < count; i++) {
            arrivals.add(new Arrival(
                    Duration.ofNanos((long) (seconds * 1e9)),
                    logNormal(random, 1020, 4142),
                    logNormal(random, 129, 601)));
            seconds += -Math.log(1 - random.nextDouble()) / perSecond;
        }
        return arrivals;
    }

    private static int logNormal(SplittableRandom random, double median, double p99) {
        double sigma = Math.log(p99 / median) / Z99;
        return (int) Math.max(1, Math.round(median * Math.exp(sigma * random.nextGaussian())));
    }
}
