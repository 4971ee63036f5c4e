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
    /** What stands before and behind a number. */
    private static final List<String[]> TERMS = List.of(
            new String[] {"within ", " days of the invoice"},
            new String[] {"no later than day ", " of each month"},
            new String[] {"for a period of ", " months"},
            new String[] {"with ", " days' notice"},
            new String[] {"up to an amount of ", ",000 USD"});

    private static final int SIX_DIGITS = 1_000_000;

    private SimulatedContract() {}

    /** About {@code tokens} words. */
    static String text(int tokens, RandomGenerator random) {
        StringBuilder text = new StringBuilder("Contract No. ")
                .append(Integer.toString(SIX_DIGITS + random.nextInt(SIX_DIGITS)), 1, 7)
                .append('.');
        int words = 3;
        for (int section = 1; words < tokens; section++) {
            int begin = text.length() + 1;
            String[] term = pick(TERMS, random);
            text.append(' ')
                    .append(section)
                    .append(". ")
                    .append(pick(PARTIES, random))
                    .append(' ')
                    .append(pick(DUTIES, random))
                    .append(' ')
                    .append(term[0])
                    .append(random.nextInt(1, 91))
                    .append(term[1])
                    .append('.');
            words += 1
                    + (int) text.chars()
                            .skip(begin)
                            .filter(letter -> letter == ' ')
                            .count();
        }
        return text.toString();
    }

    private static <T> T pick(List<T> from, RandomGenerator random) {
        return from.get(random.nextInt(from.size()));
    }
}
