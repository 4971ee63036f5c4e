package io.hellogpt.once.cli;

import io.hellogpt.once.core.EffectId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an effect_id. */
final class EffectIds implements ITypeConverter<EffectId> {
    @Override
    public EffectId convert(String value) {
        try {
            return EffectId.parse(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'" + value
                    + "' is no effect_id, which is <request_id>:<turn>.<step>, with :undo for a compensation");
        }
    }
}
