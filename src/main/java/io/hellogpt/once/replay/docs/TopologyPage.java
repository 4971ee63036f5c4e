package io.hellogpt.once.replay.docs;

import io.hellogpt.once.ops.ConfiguredTopology;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.PolicySet;
import io.hellogpt.once.ops.RequestRules;
import io.hellogpt.once.topology.FactObserver;
import io.hellogpt.once.topology.Nodes;
import io.hellogpt.once.topology.OnceTopology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;

/** The topology as a graph: topics in, processors, topics out. */
final class TopologyPage {
    private static final int WIDTH = 260;
    private static final int HEIGHT = 34;
    private static final int GAP_X = 130;
    private static final int GAP_Y = 16;
    private static final int MARGIN = 20;

    private record Edge(String from, String to) {}

    private final List<String> inputs = new ArrayList<>();
    private final List<String> processors = new ArrayList<>();
    private final List<String> outputs = new ArrayList<>();
    private final Set<Edge> edges = new java.util.LinkedHashSet<>();
    private final Set<String> stores = new TreeSet<>();

    private TopologyPage(TopologyDescription description) {
        description.subtopologies().stream()
                .flatMap(sub -> sub.nodes().stream())
                .sorted(java.util.Comparator.comparing(TopologyDescription.Node::name))
                .forEach(this::add);
        processors.sort(java.util.Comparator.comparingInt(List.of(
                Nodes.RECEIVE, Nodes.TIMERS, Nodes.GENERATE, Nodes.ACKNOWLEDGE, Nodes.COMMIT, Nodes.OPERATE)::indexOf));
        inputs.sort(null);
        outputs.sort(null);
    }

    static TopologyPage ofTheProduct() {
        return new TopologyPage(topology().describe());
    }

    private static Topology topology() {
        OnceConfig config = OnceConfig.of(Map.of());
        return ConfiguredTopology.of(
                        config,
                        PolicySet.of(config),
                        new OnceTopology.Parts(
                                ConfiguredTopology.settings(config, 1),
                                RequestRules.decoder(config),
                                new NoGateway(),
                                FactObserver.NONE))
                .build();
    }

    private void add(TopologyDescription.Node node) {
        switch (node) {
            case TopologyDescription.Source source ->
                source.topicSet().stream().sorted().forEach(topic -> {
                    inputs.add(topic);
                    source.successors().forEach(next -> edges.add(new Edge("in:" + topic, next.name())));
                });
            case TopologyDescription.Processor processor -> {
                processors.add(processor.name());
                stores.addAll(processor.stores());
                processor.successors().stream()
                        .sorted(java.util.Comparator.comparing(TopologyDescription.Node::name))
                        .forEach(next -> edges.add(new Edge(
                                processor.name(),
                                next instanceof TopologyDescription.Sink sink ? "out:" + sink.topic() : next.name())));
            }
            case TopologyDescription.Sink sink -> outputs.add(sink.topic());
            default -> throw new IllegalStateException("no way to draw " + node);
        }
    }

    String markdown() {
        StringBuilder page = new StringBuilder("# The topology\n\n" + Pages.NOTE);
        page.append(
                "One sub-topology: everything about a request happens in one task and one transaction. Every processor may"
                        + " write every output, since whatever goes wrong with a record is recorded where it is noticed; the drawing"
                        + " leaves those arrows out and shows one box of outputs.\n\n");
        page.append("```mermaid\nflowchart LR\n");
        inputs.forEach(topic -> page.append("    in_%s([%s])\n".formatted(mermaid(topic), topic)));
        processors.forEach(name -> page.append("    %s[%s]\n".formatted(mermaid(name), name)));
        page.append("    subgraph out [outputs]\n");
        outputs.stream()
                .filter(this::isWrittenByAll)
                .forEach(topic -> page.append("        out_%s([%s])\n".formatted(mermaid(topic), topic)));
        page.append("    end\n");
        edges.stream()
                .filter(edge -> !edge.to().startsWith("out:")
                        || !isWrittenByAll(edge.to().substring(4)))
                .forEach(edge -> page.append("    %s --> %s\n".formatted(mermaid(edge.from()), target(edge.to()))));
        processors.forEach(name -> page.append("    %s --> out\n".formatted(mermaid(name))));
        page.append("```\n\n![The same as a picture](topology.svg)\n\n");
        page.append("Stores, shared by all processors: ")
                .append(String.join(
                        ", ", stores.stream().map(name -> "`" + name + "`").toList()))
                .append(". What each holds stands on [the page of topics and stores](topics.md).\n");
        return page.toString();
    }

    private boolean isWrittenByAll(String topic) {
        return edges.stream().filter(edge -> edge.to().equals("out:" + topic)).count() == processors.size();
    }

    private String target(String to) {
        return to.startsWith("out:") ? "in_" + mermaid(to.substring(4)) : mermaid(to);
    }

    private static String mermaid(String name) {
        return name.replace("in:", "in_").replace("out:", "out_").replace('-', '_');
    }

    /** Three columns, edges as curves. */
    String svg() {
        Map<String, int[]> at = new LinkedHashMap<>();
        place(at, inputs, 0, "in:");
        place(at, processors, 1, "");
        place(at, outputs, 2, "out:");
        int rows = Math.max(inputs.size(), Math.max(processors.size(), outputs.size()));
        int width = 2 * MARGIN + 3 * WIDTH + 2 * GAP_X;
        int height = 2 * MARGIN + rows * (HEIGHT + GAP_Y);
        StringBuilder svg = new StringBuilder("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="14">
                <title>The topology: inputs, processors, outputs</title>
                <rect width="100%%" height="100%%" fill="#ffffff"/>
                """.formatted(width, height));
        for (Edge edge : edges) {
            svg.append(curve(at.get(edge.from()), at.get(edge.to())));
        }
        at.forEach((name, place) -> svg.append(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" stroke=\"#555555\"/>\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
                        .formatted(
                                place[0],
                                place[1],
                                WIDTH,
                                HEIGHT,
                                name.contains(":") ? HEIGHT / 2 : 4,
                                name.contains(":") ? "#e8f1fb" : "#f7f2dc",
                                place[0] + WIDTH / 2,
                                place[1] + HEIGHT / 2 + 5,
                                name.substring(name.indexOf(':') + 1))));
        return svg.append("</svg>\n").toString();
    }

    private static void place(Map<String, int[]> at, List<String> names, int column, String prefix) {
        for (int row = 0; row < names.size(); row++) {
            at.put(
                    prefix + names.get(row),
                    new int[] {MARGIN + column * (WIDTH + GAP_X), MARGIN + row * (HEIGHT + GAP_Y)});
        }
    }

    private static String curve(int[] from, int[] to) {
        boolean sameColumn = from[0] == to[0];
        int startX = from[0] + WIDTH;
        int endX = sameColumn ? to[0] + WIDTH : to[0];
        int startY = from[1] + HEIGHT / 2;
        int endY = to[1] + HEIGHT / 2;
        int bend = sameColumn ? 40 : GAP_X / 2;
        return "<path d=\"M %d %d C %d %d, %d %d, %d %d\" fill=\"none\" stroke=\"%s\"/>\n"
                .formatted(
                        startX,
                        startY,
                        startX + bend,
                        startY,
                        sameColumn ? endX + bend : endX - bend,
                        endY,
                        endX,
                        endY,
                        sameColumn ? "#444444" : "#b5b5b5");
    }
}
