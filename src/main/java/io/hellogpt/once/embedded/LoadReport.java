package io.hellogpt.once.embedded;

import java.time.Duration;
import java.util.List;

/**
 * What a load showed.
 *
 * @param requests distinct requests sent
 * @param records records sent, repeats included
 * @param ended requests whose ending was seen
 * @param failed of these, on {@code failed-requests}
 * @param repeatedEndings requests with more than one ending: must be 0
 * @param p50 median of the latency over the model's own
 * @param took from the first send to the last ending seen
 */
public record LoadReport(
        int requests,
        int records,
        int ended,
        int failed,
        int repeatedEndings,
        Duration p50,
        Duration p99,
        Duration max,
        Duration took) {

    static LoadReport of(
            int requests, int records, int ended, int failed, int repeated, List<Long> micros, Duration took) {
        List<Long> sorted = micros.stream().sorted().toList();
        return new LoadReport(
                requests,
                records,
                ended,
                failed,
                repeated,
                percentile(sorted, 0.50),
                percentile(sorted, 0.99),
                percentile(sorted, 1.0),
                took);
    }

    /** Every request has exactly one ending. */
    public boolean isComplete() {
        return ended == requests && repeatedEndings == 0;
    }

    /** The figures, one a line. */
    public String text() {
        return """
                requests                    %,d
                records, repeats included   %,d
                endings seen                %,d
                  of these failed           %,d
                more than one ending        %,d
                over the model's latency    p50 %,d ms, p99 %,d ms, max %,d ms
                took                        %,d s (%,.0f requests/s)
                """.formatted(
                        requests,
                        records,
                        ended,
                        failed,
                        repeatedEndings,
                        p50.toMillis(),
                        p99.toMillis(),
                        max.toMillis(),
                        took.toSeconds(),
                        requests / Math.max(0.001, took.toMillis() / 1000.0));
    }

    private static Duration percentile(List<Long> sorted, double rank) {
        if (sorted.isEmpty()) {
            return Duration.ZERO;
        }
        int index = (int) Math.ceil(rank * sorted.size()) - 1;
        return Duration.ofNanos(sorted.get(Math.max(0, index)) * 1_000);
    }
}
