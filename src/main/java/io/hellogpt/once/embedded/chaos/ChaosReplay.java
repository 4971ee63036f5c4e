package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.replay.Replay;
import io.hellogpt.once.replay.ReplayListener;
import io.hellogpt.once.replay.ReplayOptions;
import io.hellogpt.once.replay.ReplayReport;
import io.hellogpt.once.replay.capture.Capture;
import io.hellogpt.once.replay.capture.CaptureRequest;
import io.hellogpt.once.replay.capture.UnusableCaptureException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Takes the whole run and makes it happen again: whatever was killed, the topology must write every record as it did. */
final class ChaosReplay {
    private ChaosReplay() {}

    /**
     * Captures everything and replays it.
     *
     * @param settings of the instances
     * @param capture the file to write; it stays
     * @return how the replay differs; empty when it is equal
     */
    static Optional<String> difference(OnceConfig settings, Path capture) throws IOException {
        try {
            CaptureRequest everything = new CaptureRequest(Optional.empty(), Optional.empty(), Set.of(), capture);
            new Capture(settings, everything, (done, all) -> {}).run();
            ReplayReport report = Replay.of(capture, ReplayOptions.AS_RECORDED, ReplayListener.NONE);
            return report.divergences().stream()
                    .findFirst()
                    .map(first -> "%,d differences, the first: %s"
                            .formatted(report.divergences().size(), first));
        } catch (UnusableCaptureException unusable) {
            return Optional.of("it cannot be replayed: " + unusable.getMessage());
        }
    }
}
