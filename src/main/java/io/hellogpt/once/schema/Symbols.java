package io.hellogpt.once.schema;

import java.util.EnumMap;
import java.util.Map;

/**
 * Two-way table between an enum of {@code core} and the generated one with the same symbols, built once.
 *
 * @param <C> the enum of {@code core}
 * @param <A> the generated enum, which also has {@code UNRECOGNISED} for symbols of a later version
 */
final class Symbols<C extends Enum<C>, A extends Enum<A>> {
    private final String what;
    private final Map<C, A> toAvro;
    private final Map<A, C> toCore;

    Symbols(String what, Class<C> core, Class<A> avro) {
        this.what = what;
        this.toAvro = new EnumMap<>(core);
        this.toCore = new EnumMap<>(avro);
        for (C symbol : core.getEnumConstants()) {
            A counterpart = Enum.valueOf(avro, symbol.name());
            toAvro.put(symbol, counterpart);
            toCore.put(counterpart, symbol);
        }
    }

    A avro(C symbol) {
        return toAvro.get(symbol);
    }

    /**
     * The counterpart in {@code core}.
     *
     * @throws CodecException when this version does not know the symbol
     */
    C core(A symbol) {
        C known = toCore.get(symbol);
        if (known == null) {
            throw new CodecException("unknown " + what + ": the record was written by a later version; upgrade this one"
                    + " before it reads such records");
        }
        return known;
    }
}
