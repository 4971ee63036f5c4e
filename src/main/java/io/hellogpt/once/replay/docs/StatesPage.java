package io.hellogpt.once.replay.docs;

import io.hellogpt.once.core.RequestState;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The state machine, from the methods by which each state makes its successors. */
final class StatesPage {
    private StatesPage() {}

    static String markdown() {
        StringBuilder page = new StringBuilder("# The states of a request\n\n" + Pages.NOTE);
        page.append(
                "Each state is an immutable record that offers its legal successors only: an arrow is a method, and what has no"
                        + " arrow does not compile. When each move is made stands on [the protocol's page](protocol.md).\n\n");
        page.append("```mermaid\nstateDiagram-v2\n    [*] --> PENDING\n");
        moves(RequestState.class, new TreeSet<>())
                .forEach(move -> page.append("    ").append(move).append('\n'));
        page.append("    COMMITTED --> [*]\n    FAILED --> [*]\n```\n");
        return page.toString();
    }

    private static Set<String> moves(Class<?> type, Set<String> moves) {
        if (type.isRecord()) {
            Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> !method.isSynthetic())
                    .map(Method::getReturnType)
                    .filter(next -> next.isRecord() && RequestState.class.isAssignableFrom(next) && next != type)
                    .forEach(next -> moves.add(name(type) + " --> " + name(next)));
            if (RequestState.Open.class.isAssignableFrom(type)) {
                moves.add(name(type) + " --> FAILED");
            }
        } else {
            Arrays.stream(type.getPermittedSubclasses()).forEach(each -> moves(each, moves));
        }
        return moves;
    }

    private static String name(Class<?> state) {
        return state.getSimpleName().toUpperCase(Locale.ROOT);
    }
}
