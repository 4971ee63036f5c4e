package io.hellogpt.once.embedded.chaos;

import java.util.Locale;

/** What a part of the rig is there for. */
enum Role {
    BROKER,
    INSTANCE,
    WORKER,
    DATABASE,
    MODEL,
    RECEIVERS,
    PRODUCER;

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
