package io.hellogpt.once.schema;

import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Rejection;

/** What became of the value of a record on {@code requests}. */
public sealed interface Decoded {
    /** A well-formed request, its JSON texts in canonical form. */
    record Request(ModelRequest request, Fingerprint fingerprint) implements Decoded {}

    /** Not a request; the rejection names its request_id if a valid one could be read. */
    record Unreadable(Rejection rejection) implements Decoded {}
}
