package io.hellogpt.once.api.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.Caller;
import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.RequestLookup.Peer;
import io.hellogpt.once.api.Role;
import io.hellogpt.once.api.peer.Forwarding;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /v1/overview}: how every instance is and what it has to do, and the sum of it. Instances that do not answer are named, and
 * missing in the sum.
 */
public final class OverviewRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(OverviewRoutes.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Supplier<ObjectNode> own;
    private final Supplier<List<Peer>> others;
    private final Forwarding forwarding;

    /**
     * Makes the route.
     *
     * @param own figures of this instance; what stands under {@code figures} can be summed
     * @param others instances to be asked for theirs
     */
    public OverviewRoutes(Supplier<ObjectNode> own, Supplier<List<Peer>> others, Forwarding forwarding) {
        this.own = own;
        this.others = others;
        this.forwarding = forwarding;
    }

    public void overview(Exchange exchange) {
        List<ObjectNode> instances = new ArrayList<>();
        instances.add(own.get().put("answers", true).put("asked", true));
        if (!Forwarding.wasHandedOn(exchange)) {
            instances.addAll(theirs(exchange));
        }
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        caller(body.putObject("caller"), exchange.caller());
        ArrayNode all = body.putArray("instances");
        instances.forEach(all::add);
        List<JsonNode> figures = instances.stream()
                .map(instance -> instance.path("figures"))
                .filter(JsonNode::isObject)
                .toList();
        body.set("total", Totals.of(figures));
        body.put("complete", figures.size() == instances.size());
        exchange.json(200, body);
    }

    private static void caller(ObjectNode view, Caller caller) {
        view.put("name", caller.name());
        ArrayNode roles = view.putArray("roles");
        caller.roles().stream().map(Role::word).sorted().forEach(roles::add);
    }

    private List<ObjectNode> theirs(Exchange exchange) {
        List<Peer> peers = others.get();
        Map<Peer, byte[]> answers = forwarding.askAll(exchange, peers, PATIENCE);
        return peers.stream().map(peer -> instance(peer, answers.get(peer))).toList();
    }

    private static ObjectNode instance(Peer peer, byte[] answer) {
        ObjectNode silent = JsonNodeFactory.instance
                .objectNode()
                .put("address", peer.toString())
                .put("answers", false);
        if (answer == null) {
            return silent;
        }
        try {
            return JSON.readTree(answer).path("instances").path(0) instanceof ObjectNode told
                    ? told.put("address", peer.toString()).put("asked", false)
                    : silent;
        } catch (IOException broken) {
            LOG.warn("event=overview_unreadable peer={} action=\"left out\"", peer, broken);
            return silent;
        }
    }
}
