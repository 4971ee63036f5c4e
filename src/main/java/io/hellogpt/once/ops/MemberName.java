package io.hellogpt.once.ops;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The name under which an instance is a static member of the consumer group (KIP-345). It belongs to the state directory: an
 * instance that comes back to its stores after a crash comes back as the member it was, and is given its partitions at once. Under
 * a new name it would wait until the broker misses the old one, for as long as {@code session.timeout.ms}.
 */
final class MemberName {
    private static final String FILE = "member-name";
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._-]{1,200}");

    private MemberName() {}

    /**
     * The name kept in a state directory, a new one if there is none yet, and behind it a mark of what others know about the member. The
     * group takes a member that comes back for what it was and tells nobody; one that has another address or another topology must be
     * another member, or it would go on being looked for where it was. Two processes never run on one directory: Kafka Streams
     * locks it.
     *
     * @param stateDir {@code state.dir}
     * @param application {@code application.id}, whose directory it is within
     * @param known what others know about it: its address, what it reads
     * @throws ConfigError when the directory cannot be read or written
     */
    static String keptIn(Path stateDir, String application, Object... known) {
        Path file = stateDir.resolve(application).resolve(FILE);
        try {
            if (!Files.exists(file) || Files.size(file) == 0) {
                keep(file, UUID.randomUUID().toString());
            }
            String name = Files.readString(file).strip();
            if (!FORM.matcher(name).matches()) {
                throw new ConfigError(file + " does not hold a member's name; delete it and a new one is made up");
            }
            return "%s-%08x".formatted(name, Objects.hash(known));
        } catch (IOException unusable) {
            throw new ConfigError(
                    Settings.STATE_DIR + " is " + stateDir + ", which cannot be read and written: " + unusable,
                    unusable);
        }
    }

    /** Whole or not at all: a crash in between must not leave half a name. */
    private static void keep(Path file, String name) throws IOException {
        Files.createDirectories(file.getParent());
        Path draft = Files.createTempFile(file.getParent(), FILE, ".new");
        Files.writeString(draft, name, StandardOpenOption.DSYNC);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
