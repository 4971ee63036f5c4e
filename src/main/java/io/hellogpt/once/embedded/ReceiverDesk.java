package io.hellogpt.once.embedded;

import io.hellogpt.once.embedded.ReceiverFaults.Fault;
import io.hellogpt.once.embedded.ReceiverLog.Entry;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a receiver does with a request, by its kind and with the faults it was told to have. Safe for use by several threads. */
final class ReceiverDesk {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int ACCEPTED = 202;
    private static final int NOT_FOUND = 404;
    private static final int BAD_REQUEST = 400;
    private static final int UNPROCESSABLE = 422;
    private static final int SERVER_ERROR = 500;
    private static final long ORDER_MILLIS = 300;
    /** An effect_id is the request_id, a turn, a step, and perhaps the mark of a compensation. */
    private static final Pattern EFFECT_ID = Pattern.compile("(.+):\\d+\\.\\d+(:undo)?");

    /**
     * A request as it came.
     *
     * @param key how the sender calls the effect
     * @param desk where it was handed in
     */
    record Visit(Desk desk, String path, Optional<String> key, Optional<String> requestId, byte[] body) {}

    /** What kind of receiver it is handed to. */
    enum Desk {
        /** Acts once per key. */
        SIGN("sig", true),
        NOTIFY("ntf", true),
        REVOKE("rev", true),
        /** Acts each time it is told to, and can be asked. */
        CHARGE("chg", false),
        /** Acts each time it is told to. */
        MAIL("msg", false),
        /** Takes the order and does not act: whoever runs the receivers says later what became of it. */
        ORDER("ord", true),
        /** Refuses everything. */
        REFUSE("no", true);

        private final String prefix;
        private final boolean keyed;

        Desk(String prefix, boolean keyed) {
            this.prefix = prefix;
            this.keyed = keyed;
        }

        /** Whether an {@code Idempotency-Key} names the effect. */
        boolean isKeyed() {
            return keyed;
        }
    }

    /** How it is answered. */
    sealed interface Reply {
        /** An HTTP answer. */
        record Answer(int status, String body, boolean replayed) implements Reply {}

        /** The connection is closed without one. */
        record HangUp() implements Reply {}
    }

    private final ReceiverLog log;
    private final RandomGenerator dice;
    private final Map<String, Entry> executed = new ConcurrentHashMap<>();
    private volatile ReceiverFaults faults;

    ReceiverDesk(ReceiverLog log, ReceiverFaults faults, long seed) {
        this.log = log;
        this.faults = faults;
        this.dice = new Random(seed);
        log.executed().forEach(entry -> executed.put(identity(entry.path(), entry.key()), entry));
    }

    ReceiverFaults faults() {
        return faults;
    }

    void setFaults(ReceiverFaults faults) {
        this.faults = faults;
    }

    Reply receive(Visit visit) {
        ReceiverFaults now = faults;
        Fault fault = now.draw(dice);
        Optional<String> key = visit.key().map(ReceiverDesk::unquoted).filter(k -> !k.isEmpty());
        if (key.isEmpty()) {
            String missing = visit.desk().keyed ? "Idempotency-Key" : "X-Effect-Id";
            return refuse(visit, null, BAD_REQUEST, "the header " + missing + " is missing", Fault.NONE);
        }
        if (visit.desk() == Desk.REFUSE) {
            return refuse(visit, key.get(), UNPROCESSABLE, "this is never done", Fault.NONE);
        }
        if (fault == Fault.ERROR) {
            return refuse(visit, key.get(), SERVER_ERROR, "told to fail", fault);
        }
        Reply reply = visit.desk() == Desk.ORDER
                ? order(visit, key.get(), fault)
                : visit.desk().keyed ? once(visit, key.get(), fault) : eachTime(visit, key.get(), fault);
        if (fault == Fault.SLOW) {
            pause(now.slowMillis());
        }
        return fault == Fault.RESET ? new Reply.HangUp() : reply;
    }

    /** The answer comes after the log, late enough for a callback to overtake it. */
    private Reply order(Visit visit, String key, Fault fault) {
        String id = visit.desk().prefix + "-" + key;
        String sha256 = sha256(visit.body());
        log.append(new Entry(visit.path(), key, requestId(visit, key), sha256, false, ACCEPTED, nameOf(fault), id));
        pause(ORDER_MILLIS);
        return new Reply.Answer(ACCEPTED, "{\"id\":\"%s\"}".formatted(id), false);
    }

    /** The answer to somebody who asks whether an effect is known. */
    Reply probe(String path, String key) {
        Fault fault = faults.draw(dice);
        if (fault == Fault.ERROR) {
            return new Reply.Answer(SERVER_ERROR, "{\"error\":\"told to fail\"}", false);
        }
        if (fault == Fault.RESET) {
            return new Reply.HangUp();
        }
        Entry known = executed.get(identity(path, key));
        return known == null
                ? new Reply.Answer(NOT_FOUND, "{\"error\":\"not known\"}", false)
                : new Reply.Answer(OK, body(known), false);
    }

    private Reply eachTime(Visit visit, String key, Fault fault) {
        Entry made = made(visit, key, sha256(visit.body()), fault);
        log.append(made);
        executed.put(identity(visit.path(), key), made);
        return new Reply.Answer(CREATED, body(made), false);
    }

    private static Entry made(Visit visit, String key, String sha256, Fault fault) {
        String id = visit.desk().prefix + "-" + UUID.randomUUID();
        return new Entry(visit.path(), key, requestId(visit, key), sha256, true, CREATED, nameOf(fault), id);
    }

    /** One at a time per key, so that two at once cannot both be the first. */
    private Reply once(Visit visit, String key, Fault fault) {
        String sha256 = sha256(visit.body());
        boolean[] first = {false};
        Entry entry = executed.computeIfAbsent(identity(visit.path(), key), absent -> {
            first[0] = true;
            Entry made = made(visit, key, sha256, fault);
            log.append(made);
            return made;
        });
        if (first[0]) {
            return new Reply.Answer(CREATED, body(entry), false);
        }
        if (!entry.bodySha256().equals(sha256)) {
            return refuse(visit, key, UNPROCESSABLE, "this Idempotency-Key came with another body before", fault);
        }
        log.append(
                new Entry(visit.path(), key, requestId(visit, key), sha256, false, CREATED, nameOf(fault), entry.id()));
        return new Reply.Answer(CREATED, body(entry), true);
    }

    private Reply refuse(Visit visit, String key, int status, String reason, Fault fault) {
        String sha256 = sha256(visit.body());
        log.append(new Entry(visit.path(), key, requestId(visit, key), sha256, false, status, nameOf(fault), null));
        return new Reply.Answer(status, "{\"error\":\"%s\"}".formatted(reason), false);
    }

    private static String body(Entry entry) {
        return "{\"id\":\"%s\"}".formatted(entry.id());
    }

    private static String identity(String path, String key) {
        return path + " " + key;
    }

    /** A key may come as a structured-field string, in double quotes. */
    private static String unquoted(String key) {
        String bare = key.strip();
        boolean quoted = bare.length() >= 2 && bare.startsWith("\"") && bare.endsWith("\"");
        return quoted ? bare.substring(1, bare.length() - 1) : bare;
    }

    private static String requestId(Visit visit, String key) {
        return visit.requestId().orElseGet(() -> {
            Matcher effectId = EFFECT_ID.matcher(key == null ? "" : key);
            return effectId.matches() ? effectId.group(1) : null;
        });
    }

    private static String nameOf(Fault fault) {
        return fault == Fault.NONE ? null : fault.name().toLowerCase(Locale.ROOT);
    }

    private static String sha256(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
