package io.hellogpt.once.core;

import java.util.Objects;
import java.util.Optional;

/**
 * Why a record was not accepted as a request.
 *
 * @param detail for people; no payload
 * @param id the request_id, if one could be read
 * @param fingerprint of the refused content, if it could be computed
 * @param knownFingerprint of the request already known under that id, with {@link Reason#CONFLICT}
 */
public record Rejection(
        Reason reason,
        String detail,
        Optional<RequestId> id,
        Optional<Fingerprint> fingerprint,
        Optional<Fingerprint> knownFingerprint) {
    public Rejection {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(knownFingerprint, "knownFingerprint");
    }

    public static Rejection of(Reason reason, String detail) {
        return new Rejection(reason, detail, Optional.empty(), Optional.empty(), Optional.empty());
    }

    public static Rejection of(Reason reason, String detail, RequestId id) {
        return new Rejection(reason, detail, Optional.of(id), Optional.empty(), Optional.empty());
    }

    /** The kinds of rejection. */
    public enum Reason {
        /** The bytes are neither of the accepted encodings nor decodable as one. */
        MALFORMED,
        /** Decodable, but a field is missing or not allowed. */
        INVALID,
        /** The same request_id with other content. */
        CONFLICT,
        /** Older than what may have been forgotten: it can no longer be told from a duplicate. */
        EXPIRED,
        /** The record is larger than allowed. */
        TOO_LARGE,
        /** The system could not process it; the cause is in the detail. */
        PROCESSING_ERROR
    }
}
