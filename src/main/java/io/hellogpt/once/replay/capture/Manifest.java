package io.hellogpt.once.replay.capture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a capture holds and what it takes to replay it. Kept as JSON in the file's metadata, under {@link #KEY}.
 *
 * @param format of the file; a reader refuses a later one than {@link #FORMAT}
 * @param version that made it
 * @param selection which requests it holds
 * @param leftOut requests of the span that are not whole in it, and therefore not in it at all
 * @param redacted prompts and answers are replaced by digests
 * @param partitions of each input topic
 * @param ranges what was read
 * @param configuration the settings a replay depends on
 * @param files what stood in the files that settings name, by the setting
 * @param schemas every record type to the fingerprint of its schema
 * @param registry schemas of requests in Confluent framing, by their id in the registry
 */
public record Manifest(
        int format,
        String version,
        Selection selection,
        int leftOut,
        boolean redacted,
        int partitions,
        List<Range> ranges,
        SortedMap<String, String> configuration,
        SortedMap<String, String> files,
        SortedMap<String, String> schemas,
        SortedMap<Integer, String> registry) {
    public static final String KEY = "once.manifest";
    public static final int FORMAT = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    public Manifest {
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(selection, "selection");
        ranges = List.copyOf(ranges);
        configuration = new TreeMap<>(configuration);
        files = new TreeMap<>(files);
        schemas = new TreeMap<>(schemas);
        registry = new TreeMap<>(registry);
    }

    /** Which requests a capture holds. */
    public enum Selection {
        /** Everything that was ever read: each step can be taken exactly as it was. */
        EVERYTHING,
        /** The whole lives that begin in the span. */
        WHOLE_LIVES,
        /** The requests that were asked for. */
        IDS
    }

    /** What was read of one partition: from {@code first} to before {@code end}. */
    public record Range(String topic, int partition, long first, long end) {}

    /** Whether the steps of the capture are all the steps of its tasks. */
    public boolean complete() {
        return selection == Selection.EVERYTHING;
    }

    public Manifest redactedLeavingOut(int others) {
        return new Manifest(
                format,
                version,
                others == 0 ? selection : Selection.IDS,
                leftOut + others,
                true,
                partitions,
                ranges,
                configuration,
                files,
                schemas,
                new TreeMap<>());
    }

    public ObjectNode json() {
        ObjectNode json = JSON.createObjectNode();
        json.put("format", format)
                .put("version", version)
                .put("selection", selection.name())
                .put("left_out", leftOut)
                .put("redacted", redacted)
                .put("partitions", partitions);
        ArrayNode read = json.putArray("ranges");
        ranges.forEach(range -> read.addObject()
                .put("topic", range.topic())
                .put("partition", range.partition())
                .put("first", range.first())
                .put("end", range.end()));
        configuration.forEach(json.putObject("configuration")::put);
        files.forEach(json.putObject("files")::put);
        schemas.forEach(json.putObject("schemas")::put);
        ObjectNode known = json.putObject("registry");
        registry.forEach((id, schema) -> known.put(Integer.toString(id), schema));
        return json;
    }

    /** @throws UnusableCaptureException when it is not a manifest this version reads */
    public static Manifest parse(byte[] text) {
        JsonNode json;
        try {
            json = JSON.readTree(text);
        } catch (IOException damaged) {
            throw new UnusableCaptureException("its manifest is damaged", damaged);
        }
        int format = json.path("format").asInt(0);
        if (format > FORMAT) {
            throw new UnusableCaptureException(
                    "it was made by version %s (format %d), this one reads up to format %d: replay it with that version or a later one"
                            .formatted(json.path("version").asText("unknown"), format, FORMAT));
        }
        if (format < 1 || !json.path("partitions").isInt()) {
            throw new UnusableCaptureException(
                    "its manifest is damaged: there is no format or no number of partitions");
        }
        List<Range> ranges = new ArrayList<>();
        json.path("ranges")
                .forEach(range -> ranges.add(new Range(
                        range.path("topic").asText(),
                        range.path("partition").asInt(),
                        range.path("first").asLong(),
                        range.path("end").asLong())));
        SortedMap<Integer, String> registry = new TreeMap<>();
        texts(json.path("registry")).forEach((id, schema) -> registry.put(Integer.valueOf(id), schema));
        return new Manifest(
                format,
                json.path("version").asText(""),
                Selection.valueOf(json.path("selection").asText()),
                json.path("left_out").asInt(),
                json.path("redacted").asBoolean(),
                json.path("partitions").asInt(),
                ranges,
                texts(json.path("configuration")),
                texts(json.path("files")),
                texts(json.path("schemas")),
                registry);
    }

    private static SortedMap<String, String> texts(JsonNode object) {
        SortedMap<String, String> texts = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            texts.put(field.getKey(), field.getValue().asText());
        }
        return texts;
    }
}
