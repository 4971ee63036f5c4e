package io.hellogpt.once.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.Usage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a token costs. Whole billionths of a currency unit, so that costs add up exactly.
 *
 * <pre>{@code
 * {"version": "2026-11", "currency": "USD",
 *  "models": {"some-model": {"input_nanos": 150, "output_nanos": 600}},
 *  "default": {"input_nanos": 150, "output_nanos": 600}}
 * }</pre>
 *
 * @param version recorded with every cost, so that a bill can be explained later
 * @param currency ISO 4217 code
 * @param models by the name the provider uses
 * @param otherwise for a model that is not listed
 */
public record PriceTable(String version, String currency, Map<String, Price> models, Price otherwise) {
    private static final String BUILT_IN = "prices.json";
    private static final ObjectMapper JSON = new ObjectMapper();

    public PriceTable {
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(currency, "currency");
        models = Map.copyOf(models);
        Objects.requireNonNull(otherwise, "otherwise");
    }

    /** Price of one token, in billionths of the currency's unit. */
    public record Price(long inputNanos, long outputNanos) {
        public Price {
            if (inputNanos < 0 || outputNanos < 0) {
                throw new IllegalArgumentException("a price is never negative");
            }
        }
    }

    /** The table that comes with the product: one example price for every model. */
    public static PriceTable builtIn() {
        try (InputStream resource = PriceTable.class.getResourceAsStream(BUILT_IN)) {
            return parse(JSON.readTree(Objects.requireNonNull(resource, BUILT_IN)), "the built-in price table");
        } catch (IOException unreadable) {
            throw new IllegalStateException("the built-in price table cannot be read", unreadable);
        }
    }

    /**
     * @throws IllegalArgumentException when the file cannot be read or is no price table; the message says what is wrong
     */
    public static PriceTable load(Path file) {
        try (InputStream content = Files.newInputStream(file)) {
            return parse(JSON.readTree(content), "price table " + file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "price table " + file + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /**
     * Exact cost.
     *
     * @param names of the model, the most precise first; the first one listed counts
     */
    public Cost cost(List<String> names, Usage usage) {
        Price price = names.stream()
                .map(models::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(otherwise);
        long nanos = Math.addExact(
                Math.multiplyExact(usage.inputTokens(), price.inputNanos()),
                Math.multiplyExact(usage.outputTokens(), price.outputNanos()));
        return new Cost(nanos, currency, version);
    }

    private static PriceTable parse(JsonNode table, String where) {
        Map<String, Price> models = new HashMap<>();
        table.path("models")
                .properties()
                .forEach(model ->
                        models.put(model.getKey(), price(model.getValue(), where + ", model " + model.getKey())));
        return new PriceTable(
                text(table, "version", where),
                text(table, "currency", where),
                models,
                price(table.path("default"), where + ", default"));
    }

    private static Price price(JsonNode node, String where) {
        return new Price(nanos(node, "input_nanos", where), nanos(node, "output_nanos", where));
    }

    private static long nanos(JsonNode node, String field, String where) {
        JsonNode value = node.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw new IllegalArgumentException(
                    where + ": '" + field + "' must be a whole number of billionths, 0 or more");
        }
        return value.longValue();
    }

    private static String text(JsonNode node, String field, String where) {
        if (!node.path(field).isTextual()) {
            throw new IllegalArgumentException(where + ": '" + field + "' must be a string");
        }
        return node.path(field).textValue();
    }
}
