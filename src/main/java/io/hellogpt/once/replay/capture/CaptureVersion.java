package io.hellogpt.once.replay.capture;

/** The version that makes captures. */
final class CaptureVersion {
    static final String CURRENT = "0.1.0";

    private CaptureVersion() {}
}
