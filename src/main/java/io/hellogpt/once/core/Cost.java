package io.hellogpt.once.core;

import java.util.Objects;

/**
 * Money an answer cost.
 *
 * @param nanos billionths of one unit of the currency, so that sums are exact
 * @param currency ISO 4217 code
 * @param priceTable version of the price table the cost was computed with
 */
public record Cost(long nanos, String currency, String priceTable) {
    public Cost {
        Objects.requireNonNull(currency, "currency");
        Objects.requireNonNull(priceTable, "priceTable");
    }
}
