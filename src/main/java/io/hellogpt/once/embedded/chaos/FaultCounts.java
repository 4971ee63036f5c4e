package io.hellogpt.once.embedded.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which faults fired how often, and how long it took to get over them. */
final class FaultCounts {
    private FaultCounts() {}

    /**
     * One row.
     *
     * @param injected tried
     * @param hit of these, how many hit something
     * @param slowest longest time from the end of the fault to the next ending
     */
    record Row(String type, int injected, int hit, Duration median, Duration slowest) {}

    /** By type, in alphabetical order. */
    static List<Row> rows(List<FaultRecord> faults) {
        Map<String, List<FaultRecord>> byType = faults.stream()
                .collect(Collectors.groupingBy(fault -> fault.type().key(), TreeMap::new, Collectors.toList()));
        List<Row> rows = new ArrayList<>();
        byType.forEach((type, some) -> {
            List<Duration> recoveries = some.stream()
                    .flatMap(fault -> fault.recovery().stream())
                    .sorted()
                    .toList();
            rows.add(new Row(
                    type,
                    some.size(),
                    (int) some.stream().filter(FaultRecord::hit).count(),
                    median(recoveries),
                    recoveries.isEmpty() ? Duration.ZERO : recoveries.getLast()));
        });
        return rows;
    }

    /** Of the middle two when there are as many below as above. */
    private static Duration median(List<Duration> sorted) {
        if (sorted.isEmpty()) {
            return Duration.ZERO;
        }
        Duration upper = sorted.get(sorted.size() / 2);
        return sorted.size() % 2 == 1
                ? upper
                : sorted.get(sorted.size() / 2 - 1).plus(upper).dividedBy(2);
    }

    /**
     * What must have fired and has not.
     *
     * @param everyType every type must; otherwise every kind
     */
    static List<String> missing(Collection<FaultType> required, boolean everyType, List<FaultRecord> faults) {
        Function<FaultType, String> name =
                type -> everyType ? type.key() : type.kind().key();
        List<String> fired = faults.stream()
                .filter(FaultRecord::hit)
                .map(fault -> name.apply(fault.type()))
                .toList();
        return required.stream()
                .map(name)
                .distinct()
                .filter(each -> !fired.contains(each))
                .toList();
    }
}
