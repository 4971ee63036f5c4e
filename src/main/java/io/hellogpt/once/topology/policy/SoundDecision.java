package io.hellogpt.once.topology.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Snapshot;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A policy whose decisions can be carried out: one that is wrong in a way that can be seen is an error of the policy, which holds
 * the request, and not one of every later stage. An endless loop is not noticed: a policy runs on the stream thread.
 *
 * @param maxEffects in one decision
 */
record SoundDecision(DecisionPolicy policy, int maxEffects) implements DecisionPolicy {
    private static final Pattern ROUTE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final ObjectMapper JSON = new ObjectMapper();

    static boolean isRoute(String name) {
        return ROUTE.matcher(name).matches();
    }

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public Decision decide(ModelRequest request, Snapshot snapshot) {
        Decision decision = decided(request, snapshot);
        switch (decision) {
            case null -> {}
            case Decision.Proceed proceed -> require(proceed.effects());
            case Decision.Hold hold -> require(hold.effects());
            case Decision.Refuse refuse -> {}
        }
        return decision;
    }

    /** An error of the policy's own making must not end a stream thread, and the next one after it. */
    private Decision decided(ModelRequest request, Snapshot snapshot) {
        try {
            return policy.decide(request, snapshot);
        } catch (StackOverflowError | LinkageError | AssertionError broken) {
            throw new IllegalStateException(broken.toString(), broken);
        }
    }

    private void require(List<PlannedEffect> effects) {
        if (effects.size() > maxEffects) {
            throw new IllegalStateException(
                    "%d effects in one decision, at most %d are allowed".formatted(effects.size(), maxEffects));
        }
        for (PlannedEffect effect : effects) {
            require(effect.name(), effect.route(), effect.payload());
            effect.compensation().ifPresent(undo -> require(effect.name(), undo));
            if (effect.stage() < 0) {
                throw new IllegalStateException(
                        "effect '%s' is of stage %d; the first is 0".formatted(effect.name(), effect.stage()));
            }
        }
    }

    private static void require(String effect, Compensation undo) {
        require("the compensation of " + effect, undo.route(), undo.payload());
    }

    private static void require(String what, String route, String payload) {
        if (!isRoute(route)) {
            throw new IllegalStateException("effect '%s' names no route but something else".formatted(what));
        }
        if (!isObject(payload)) {
            throw new IllegalStateException("the payload of effect '%s' is not a JSON object".formatted(what));
        }
    }

    private static boolean isObject(String payload) {
        try {
            return JSON.readTree(payload).isObject();
        } catch (JsonProcessingException notJson) {
            return false;
        }
    }
}
