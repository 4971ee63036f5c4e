package io.hellogpt.once.ops.verify;

import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.verify.Evidence.Duplicate;
import io.hellogpt.once.ops.verify.Evidence.Received;
import io.hellogpt.once.ops.verify.Evidence.Rejected;
import io.hellogpt.once.ops.verify.Evidence.Transition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Same request_id, other content: refused, with both fingerprints. Same content: never called a conflict. */
final class G6Conflicts implements Checker {
    @Override
    public Verdict check(Evidence evidence) {
        Verdict.Builder verdict = Verdict.of(Guarantee.G6);
        Map<SourcePosition, Received> received = new HashMap<>();
        evidence.intake().received().forEach(record -> received.put(record.at(), record));
        Map<String, Set<String>> accepted = acceptedContents(evidence, received);
        for (Rejected rejected : evidence.intake().rejected()) {
            if (rejected.isConflict()) {
                verdict.count("conflicts", 1);
                conflict(rejected, Optional.ofNullable(received.get(rejected.at())), accepted, verdict);
            }
        }
        for (Duplicate duplicate : evidence.intake().duplicates()) {
            Optional.ofNullable(received.get(duplicate.at()))
                    .flatMap(Received::fingerprint)
                    .filter(content -> isOther(content, accepted.get(duplicate.requestId())))
                    .ifPresent(content -> verdict.violated(
                            duplicate.requestId(), duplicate.at() + " has other content but was called a duplicate"));
        }
        return verdict.build();
    }

    private static Map<String, Set<String>> acceptedContents(
            Evidence evidence, Map<SourcePosition, Received> received) {
        Map<String, Set<String>> contents = new HashMap<>();
        evidence.intake().transitions().stream()
                .filter(Transition::accepts)
                .forEach(event -> Optional.ofNullable(received.get(event.source()))
                        .flatMap(Received::fingerprint)
                        .ifPresent(content -> contents.computeIfAbsent(event.requestId(), any -> new HashSet<>())
                                .add(content)));
        return contents;
    }

    private static void conflict(
            Rejected rejected, Optional<Received> record, Map<String, Set<String>> accepted, Verdict.Builder verdict) {
        if (rejected.fingerprint().isEmpty() || rejected.knownFingerprint().isEmpty()) {
            verdict.violated(
                    rejected.requestId(), rejected.at() + " was refused as a conflict without both fingerprints");
            return;
        }
        if (rejected.fingerprint().equals(rejected.knownFingerprint())) {
            verdict.violated(
                    rejected.requestId(), rejected.at() + " has the same content but was refused as a conflict");
            return;
        }
        boolean statesItsContent = record.flatMap(Received::fingerprint)
                .map(content -> rejected.fingerprint().get().equals(content))
                .orElse(true);
        boolean statesTheKnown = rejected.requestId()
                .map(accepted::get)
                .map(contents -> contents.contains(rejected.knownFingerprint().get()))
                .orElse(true);
        if (!statesItsContent || !statesTheKnown) {
            verdict.violated(
                    rejected.requestId(),
                    rejected.at() + " was refused with fingerprints that are not those of the records");
        }
    }

    private static boolean isOther(String content, Set<String> accepted) {
        return accepted != null && !accepted.contains(content);
    }
}
