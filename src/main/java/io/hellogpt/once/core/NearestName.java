package io.hellogpt.once.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what a misspelt name was probably meant to be. */
public final class NearestName {
    private NearestName() {}

    /**
     * The known name with the smallest edit distance.
     *
     * @return empty when even the nearest differs in more than half of its characters
     */
    public static Optional<String> of(String misspelt, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String name) -> distance(misspelt, name))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(name -> distance(misspelt, name) * 2 <= name.length());
    }

    private static int distance(String left, String right) {
        int[] previous = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int[] current = new int[right.length() + 1];
            current[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int substitute = previous[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(substitute, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[right.length()];
    }
}
