package io.hellogpt.once.embedded;

import io.hellogpt.once.core.ModelRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the demo sends, in order.
 *
 * @param ids every contract; each must have one ending
 */
record DemoPlan(List<DemoRecord> records, Set<String> ids) {
    /** A conflict refers to an early contract and comes late: which of two contents is the first one is then known. */
    private static final double EARLY = 0.25;

    private static final double LATE = 0.6;

    private record Timed(double at, DemoRecord record) {}

    DemoPlan {
        records = List.copyOf(records);
        ids = Set.copyOf(ids);
    }

    static DemoPlan of(DemoScale scale, Random random) {
        Contracts contracts = new Contracts(random);
        List<ModelRequest> requests = IntStream.range(0, scale.requests())
                .mapToObj(number -> contracts.next())
                .toList();
        List<Timed> timed = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            timed.add(new Timed(at(i, scale), DemoRecord.of(requests.get(i), random)));
        }
        for (int i = 0; i < scale.duplicates(); i++) {
            int original = random.nextInt(requests.size());
            double at = random.nextDouble(at(original, scale), 1);
            timed.add(new Timed(at, DemoRecord.of(requests.get(original), random)));
        }
        for (int i = 0; i < scale.conflicts(); i++) {
            ModelRequest original = requests.get(random.nextInt((int) (scale.requests() * EARLY)));
            timed.add(new Timed(random.nextDouble(LATE, 1), DemoRecord.of(contracts.conflicting(original), random)));
        }
        for (int i = 0; i < scale.malformed(); i++) {
            DemoRecord record = new DemoRecord("contract-" + i, contracts.malformed(i), random.nextBoolean());
            timed.add(new Timed(random.nextDouble(), record));
        }
        timed.sort(Comparator.comparingDouble(Timed::at));
        return new DemoPlan(
                timed.stream().map(Timed::record).toList(),
                requests.stream().map(request -> request.id().value()).collect(Collectors.toSet()));
    }

    private static double at(int number, DemoScale scale) {
        return (double) number / scale.requests();
    }
}
