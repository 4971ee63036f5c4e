package io.hellogpt.once.topology;

import io.hellogpt.once.core.SourcePosition;

/** The record a step is about, byte for byte, for {@code rejected-requests}. */
record Original(SourcePosition position, byte[] key, byte[] value) {
    /** A timer is no record. */
    static final Original NONE = new Original(new SourcePosition("", -1, -1), null, null);
}
