package io.hellogpt.once.replay.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Every generated page by its file name. */
public final class Pages {
    static final String NOTE = "Generated from the code by `make topology-docs`; a test compares the two.\n\n";

    private Pages() {}

    public static Map<String, String> all() {
        Map<String, String> pages = new TreeMap<>();
        TopologyPage topology = TopologyPage.ofTheProduct();
        pages.put("topology.md", topology.markdown());
        pages.put("topology.svg", topology.svg());
        pages.put("states.md", StatesPage.markdown());
        pages.put("topics.md", TopicsPage.markdown());
        pages.put("paths.md", PathsPage.markdown());
        return pages;
    }

    /** Writes all of them. */
    public static void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (Map.Entry<String, String> page : all().entrySet()) {
            Files.writeString(directory.resolve(page.getKey()), page.getValue());
        }
    }
}
