package io.hellogpt.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.config.EffectClass;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.topology.Stores;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Holds topology-docs/protocol.md to the names and the moves of the code. */
class ProtocolPageTest {
    private static final Pattern ARROW = Pattern.compile("(?m)^ *([A-Z]+) --> ([A-Z]+):");

    private static String page;

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(Path.of("topology-docs/protocol.md"));
    }

    @Test
    void everyTopicAndStoreIsNamed() {
        assertThat(Stream.of(Topics.INPUTS, Topics.OUTPUTS, Stores.ALL).flatMap(List::stream))
                .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    @Test
    void everyClassOfRouteIsNamed() {
        assertThat(EffectClass.values()).allSatisfy(each -> assertThat(page).contains("| " + each.name() + " |"));
    }

    @Test
    void theDrawnMovesAreTheOnesTheStatesOffer() {
        Set<String> drawn = new TreeSet<>();
        for (Matcher arrow = ARROW.matcher(page); arrow.find(); ) {
            drawn.add(arrow.group(1) + " --> " + arrow.group(2));
        }

        // Every open state can fail; the page draws where that is the next thing to happen.
        Predicate<String> failure = move -> move.endsWith(" --> FAILED");
        assertThat(drawn.stream().filter(failure.negate())).containsExactlyInAnyOrderElementsOf(offered());
        assertThat(drawn.stream().filter(failure)).isNotEmpty().noneMatch(move -> move.startsWith("COMMITTED"));
    }

    @Test
    void everyStateIsReachedAndDrawnToItsEnd() {
        assertThat(RequestState.Status.values()).allSatisfy(status -> {
            assertThat(page).containsPattern("(\\*]|[A-Z]) --> " + status + ":");
            assertThat(page).containsPattern("(?m)^ *" + status + " --> ");
        });
    }

    /** A state's methods make its legal successors and nothing else; those that stay in the state are no move. */
    private static Set<String> offered() {
        return states(RequestState.class)
                .flatMap(state -> Arrays.stream(state.getDeclaredMethods())
                        .map(Method::getReturnType)
                        .filter(next -> next.isRecord() && RequestState.class.isAssignableFrom(next) && next != state)
                        .filter(next -> next != Failed.class)
                        .map(next -> name(state) + " --> " + name(next)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<Class<?>> states(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type)
                : Arrays.stream(type.getPermittedSubclasses()).flatMap(ProtocolPageTest::states);
    }

    private static String name(Class<?> state) {
        return state.getSimpleName().toUpperCase(Locale.ROOT);
    }
}
