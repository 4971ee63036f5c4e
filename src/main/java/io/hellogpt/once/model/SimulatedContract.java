package io.hellogpt.once.model;

import java.util.List;
import java.util.random.RandomGenerator;

/** Contract text of a given length: enough like one to be read in a demo, and never the same twice. */
final class SimulatedContract {
    private static final List<String> PARTIES =
            List.of("the Supplier", "the Customer", "the Licensee", "the Agent", "the Carrier", "the Lessee");
    private static final List<String> DUTIES = List.of(
            "shall deliver the goods listed in Annex A",
            "shall pay the agreed price",
            "shall keep the other party's information confidential",
            "may end this agreement in writing",
            "shall insure the premises",
            "is liable for damage caused by negligence",
            "shall provide the services with due care");
    private static final List<String> TERMS = List.of(
            "within %d days of the invoice",
            "no later than day %d of each month",
            "for a period of %d months",
            "with %d days' notice",
            "up to an amount of %d,000 USD");

    private SimulatedContract() {}

    /** About {@code tokens} words. */
    static String text(int tokens, RandomGenerator random) {
        StringBuilder text = new StringBuilder("Contract No. %06d.".formatted(random.nextInt(1_000_000)));
        int words = 3;
        for (int section = 1; words < tokens; section++) {
            String sentence = " %d. %s %s %s."
                    .formatted(
                            section,
                            pick(PARTIES, random),
                            pick(DUTIES, random),
                            pick(TERMS, random).formatted(random.nextInt(1, 91)));
            text.append(sentence);
            words += sentence.split(" ").length - 1;
        }
        return text.toString();
    }

    private static String pick(List<String> from, RandomGenerator random) {
        return from.get(random.nextInt(from.size()));
    }
}
