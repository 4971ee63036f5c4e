package io.hellogpt.once.schema;

import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;

/** The codec of every record that is written and read back. */
public final class Codecs {
    public static final Codec<JournalRecord> JOURNAL = null;
    public static final Codec<Snapshot> SNAPSHOT = null;
    public static final Codec<Effect> EFFECT = null;
    public static final Codec<EffectOutcome> EFFECT_OUTCOME = null;
    public static final Codec<OperatorCommand> COMMAND = null;
    public static final Codec<RequestState> STATE = null;
    public static final Codec<EarlyResponse> EARLY_RESPONSE = null;

    private Codecs() {}
}
