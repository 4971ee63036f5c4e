package io.hellogpt.once.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParser;

/**
 * Every schema version that was ever released, from the classpath. The file {@value #INDEX} lists them, one path a line, since
 * a classpath cannot be listed.
 */
final class ReleasedSchemas {
    static final String ROOT = "schemas/released/";
    static final String INDEX = ROOT + "index.txt";

    /** Version to the schemas of that version. */
    private static final Map<String, List<Schema>> VERSIONS = load();

    private ReleasedSchemas() {}

    /** All versions of one record type, oldest first, without the current one unless it is released. */
    static List<Schema> of(String fullName) {
        return VERSIONS.values().stream()
                .flatMap(List::stream)
                .filter(schema -> schema.getFullName().equals(fullName))
                .toList();
    }

    /** The names of the versions with their schemas, oldest first. */
    static Map<String, List<Schema>> versions() {
        return VERSIONS;
    }

    private static Map<String, List<Schema>> load() {
        Map<String, List<String>> files = new LinkedHashMap<>();
        for (String path : text(INDEX).lines().toList()) {
            String version = path.substring(0, path.indexOf('/'));
            files.computeIfAbsent(version, v -> new ArrayList<>()).add(text(ROOT + path));
        }
        Map<String, List<Schema>> versions = new LinkedHashMap<>();
        files.forEach((version, texts) -> versions.put(version, parse(texts)));
        return versions;
    }

    /** Parses files that refer to each other's types, in whichever order they come. */
    static List<Schema> parse(List<String> texts) {
        SchemaParser parser = new SchemaParser();
        texts.forEach(parser::parse);
        return List.copyOf(parser.getParsedNamedSchemas());
    }

    private static String text(String resource) {
        try (InputStream in = ReleasedSchemas.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + resource + " is missing: this build is incomplete");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + resource, e);
        }
    }
}
