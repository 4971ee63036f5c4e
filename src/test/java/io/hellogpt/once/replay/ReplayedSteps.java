package io.hellogpt.once.replay;

import io.hellogpt.once.replay.capture.CaptureReader;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** What the steps of a capture write when they are taken again. */
public final class ReplayedSteps {
    private ReplayedSteps() {}

    public static List<String> uninterrupted(Path file) throws Exception {
        return written(file, new Random(), 0);
    }

    /** @param oneIn after one step in so many, chosen by {@code random}, every task is closed and restored from its changelogs */
    public static List<String> restarted(Path file, Random random, int oneIn) throws Exception {
        return written(file, random, oneIn);
    }

    private static List<String> written(Path file, Random random, int oneIn) throws Exception {
        List<String> written = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(file);
                Replay replay = new Replay(reader.manifest(), ReplayOptions.AS_RECORDED, ReplayListener.NONE)) {
            Optional<CapturedRecord> read = Optional.empty();
            for (Optional<CapturedRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                CapturedRecord record = next.get();
                if (record.topic().equals(Topics.TASK_STEPS)) {
                    replay.step(record, read).forEach(output -> written.add(bytes(output)));
                    read = Optional.empty();
                    if (oneIn > 0 && random.nextInt(oneIn) == 0) {
                        replay.restart();
                    }
                } else if (Topics.INPUTS.contains(record.topic())) {
                    read = Optional.of(record);
                }
            }
        }
        return written;
    }

    private static String bytes(Output output) {
        return "%s %d %s %s"
                .formatted(
                        output.topic(),
                        output.timestamp(),
                        output.key() == null ? "" : new String(output.key(), StandardCharsets.ISO_8859_1),
                        new String(output.value(), StandardCharsets.ISO_8859_1));
    }
}
