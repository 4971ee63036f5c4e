package io.hellogpt.once.schema;

import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.TaskStep;

/**
 * The codec of every record that is written and read back. Times are kept in whole milliseconds; what is finer is cut off.
 */
public final class Codecs {
    /** Topic {@code model-responses}. */
    public static final Codec<JournalRecord> JOURNAL = JournalCodec.create();

    /** Topic {@code snapshots} and store {@code snapshots-by-id}. */
    public static final Codec<Snapshot> SNAPSHOT = SnapshotCodec.create();

    /** Topic {@code effects}. */
    public static final Codec<Effect> EFFECT = EffectCodec.create();

    /** Topic {@code effect-outcomes}. */
    public static final Codec<EffectOutcome> EFFECT_OUTCOME = EffectOutcomeCodec.create();

    /** Topic {@code commands}. */
    public static final Codec<OperatorCommand> COMMAND = CommandCodec.create();

    /** Topic {@code task-steps}. */
    public static final Codec<TaskStep> TASK_STEP = TaskStepCodec.create();

    /** Store {@code requests-by-id}. */
    public static final Codec<RequestState> STATE = StateCodec.create();

    /** Store {@code early-responses}. */
    public static final Codec<EarlyResponse> EARLY_RESPONSE = EarlyResponseCodec.create();

    private Codecs() {}
}
