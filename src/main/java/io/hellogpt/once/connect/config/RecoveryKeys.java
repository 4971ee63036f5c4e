package io.hellogpt.once.connect.config;

import java.time.Duration;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** What each class needs, so that an attempt whose outcome is not known can be dealt with. */
final class RecoveryKeys {
    static final String IDEMPOTENCY_HEADER = "idempotency.header";
    static final String IDEMPOTENCY_QUOTED = "idempotency.quoted";
    static final String KEY_WINDOW = "key.window.ms";
    static final String PROBE_URL = "probe.url";
    static final String PROBE_SETTLE = "probe.settle.ms";
    static final String RESEND = "resend";
    static final String AT_LEAST_ONCE = "at-least-once";

    private static final String AT_MOST_ONCE = "at-most-once";
    private static final long DEFAULT_PROBE_SETTLE = 10_000;

    private RecoveryKeys() {}

    static void define(ConfigDef def) {
        new KeyGroup(def, "Recovery")
                .standard(
                        IDEMPOTENCY_HEADER,
                        Type.STRING,
                        "Idempotency-Key",
                        new ConfigDef.NonEmptyString(),
                        "KEYED: the header that carries the effect_id as the key.")
                .standard(
                        IDEMPOTENCY_QUOTED,
                        Type.BOOLEAN,
                        true,
                        null,
                        "KEYED: send the key in double quotes, as a string of RFC 9651, which is what the IETF draft on the"
                                + " Idempotency-Key header asks for. Switch off for receivers that take it verbatim: to those a"
                                + " quoted key is another key.")
                .optional(
                        KEY_WINDOW,
                        Type.LONG,
                        "KEYED, required: how long the receiver remembers a key, in milliseconds. Longer than the truth and a late"
                                + " repetition takes effect twice; an effect in doubt that could not be repeated within it is"
                                + " UNKNOWN. Must be longer than once.send.timeout.ms and twice timeout.ms.")
                .optional(
                        PROBE_URL,
                        Type.STRING,
                        "PROBEABLE, required: a GET of it answers 2xx when the effect is known and 404 when it never arrived. Must"
                                + " hold {effect_id} or {request_id}.")
                .standard(
                        PROBE_SETTLE,
                        Type.LONG,
                        DEFAULT_PROBE_SETTLE,
                        Range.atLeast(0),
                        "PROBEABLE: how long after a send its absence proves nothing, in milliseconds. Too short repeats effects.")
                .standard(
                        RESEND,
                        Type.STRING,
                        AT_MOST_ONCE,
                        ValidString.in(AT_MOST_ONCE, AT_LEAST_ONCE),
                        "OPAQUE: at-most-once reports an attempt in doubt as UNKNOWN; at-least-once sends it again and may repeat"
                                + " it.");
    }

    /** @param sendTimeout how long after its batch began a claim may be made */
    static Recovery read(RouteSettings settings, EffectClass effectClass, Duration sendTimeout) {
        Recovery recovery = switch (effectClass) {
            case LOCAL -> new Recovery.Local();
            case KEYED -> keyed(settings, sendTimeout);
            case PROBEABLE -> new Recovery.Probeable(probeUrl(settings), settings.millis(PROBE_SETTLE));
            case OPAQUE ->
                new Recovery.Opaque(settings.need(RESEND, "OPAQUE needs it").equals(AT_LEAST_ONCE));
        };
        String why = "the route is of class " + effectClass;
        if (effectClass != EffectClass.KEYED) {
            settings.mustNotHave(why, KEY_WINDOW, IDEMPOTENCY_HEADER, IDEMPOTENCY_QUOTED);
        }
        if (effectClass != EffectClass.PROBEABLE) {
            settings.mustNotHave(why, PROBE_URL, PROBE_SETTLE);
        }
        if (effectClass != EffectClass.OPAQUE) {
            settings.mustNotHave(why, RESEND);
        }
        return recovery;
    }

    private static Recovery keyed(RouteSettings settings, Duration sendTimeout) {
        // A claim is made before the put's time is up, and a call begun by then ends within its timeout.
        Duration late = sendTimeout.plus(settings.millis(LimitKeys.TIMEOUT));
        Duration window = settings.optionalMillis(KEY_WINDOW)
                .orElseThrow(() -> settings.refused(
                        KEY_WINDOW,
                        "missing; class KEYED needs the time the receiver remembers a key; ask the receiver's owner, or use"
                                + " class OPAQUE"));
        Duration least = late.plus(settings.millis(LimitKeys.TIMEOUT));
        if (window.compareTo(least) <= 0) {
            throw settings.refused(
                    KEY_WINDOW,
                    "must be longer than " + least.toMillis() + " ms, which is " + TaskKeys.SEND_TIMEOUT + " and twice "
                            + LimitKeys.TIMEOUT
                            + ": a call and its repetition may take that long, and the receiver would have forgotten the key");
        }
        return new Recovery.Keyed(
                TargetKeys.headerName(settings, IDEMPOTENCY_HEADER), settings.flag(IDEMPOTENCY_QUOTED), window, late);
    }

    private static String probeUrl(RouteSettings settings) {
        String url = TargetKeys.url(settings, PROBE_URL, "class PROBEABLE needs a way to ask, or use class OPAQUE");
        if (!url.contains("{effect_id}") && !url.contains("{request_id}")) {
            throw settings.refused(
                    PROBE_URL, "must hold {effect_id} or {request_id}, or it cannot ask about one effect");
        }
        return url;
    }
}
