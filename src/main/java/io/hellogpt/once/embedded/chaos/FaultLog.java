package io.hellogpt.once.embedded.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.embedded.EmbeddedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Every fault when it is injected, when it is over and when its consequences are, and every incident that was not meant: one JSON object
 * a line in a file, and in memory. Safe for use by several threads.
 */
final class FaultLog {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final Map<Integer, FaultRecord> faults = new TreeMap<>();
    private final List<Incident> incidents = new ArrayList<>();

    /**
     * Something nobody injected.
     *
     * @param repeatsCalls a model call in flight may be made again because of it
     * @param gaveUp an application instance ended itself for another reason than that it could not reach the cluster when it started
     */
    record Incident(Instant at, String what, boolean repeatsCalls, boolean gaveUp) {}

    FaultLog(Path file) {
        this.file = file;
    }

    synchronized void injected(int number, FaultType type, String target) {
        Instant now = Instant.now();
        faults.put(number, new FaultRecord(number, type, target, now, Optional.empty(), Optional.empty(), false, ""));
        write(now, "injected", number, type.key(), target, "");
    }

    synchronized void healed(int number, boolean hit, String note) {
        FaultRecord fault = faults.get(number);
        Instant now = Instant.now();
        faults.put(
                number,
                new FaultRecord(
                        number,
                        fault.type(),
                        fault.target(),
                        fault.injected(),
                        Optional.of(now),
                        Optional.empty(),
                        hit,
                        note));
        write(
                now,
                hit ? "healed" : "healed, but hit nothing",
                number,
                fault.type().key(),
                fault.target(),
                note);
    }

    synchronized void recovered(int number) {
        FaultRecord fault = faults.get(number);
        Instant now = Instant.now();
        faults.put(
                number,
                new FaultRecord(
                        number,
                        fault.type(),
                        fault.target(),
                        fault.injected(),
                        fault.healed(),
                        Optional.of(now),
                        fault.hit(),
                        fault.note()));
        write(now, "recovered", number, fault.type().key(), fault.target(), "");
    }

    void incident(String what, boolean repeatsCalls) {
        incident(what, repeatsCalls, false);
    }

    synchronized void incident(String what, boolean repeatsCalls, boolean gaveUp) {
        Instant now = Instant.now();
        incidents.add(new Incident(now, what, repeatsCalls, gaveUp));
        write(now, "incident", 0, "", "", what);
    }

    synchronized List<FaultRecord> faults() {
        return List.copyOf(faults.values());
    }

    synchronized List<Incident> incidents() {
        return List.copyOf(incidents);
    }

    private void write(Instant at, String event, int number, String type, String target, String note) {
        ObjectNode line = JSON.createObjectNode();
        line.put("at", at.toString());
        line.put("event", event);
        line.put("number", number);
        line.put("fault", type);
        line.put("target", target);
        line.put("note", note);
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new EmbeddedException("the log of faults " + file + " could not be written", e);
        }
    }
}
