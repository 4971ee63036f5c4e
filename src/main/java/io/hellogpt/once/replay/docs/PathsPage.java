package io.hellogpt.once.replay.docs;

import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** One sequence diagram per path, each drawn from a run of it. */
final class PathsPage {
    private static final String REQUEST = """
            {"request_id":"contract-1","model":"m","input":"review the contract","policy":"declared",
             "effects":[{"name":"sign","route":"signing","pointers":{"/amount":"/amount"},
               "compensation":{"route":"signing","payload":{"void":true}}},
               {"name":"mail","route":"mail","stage":1}]}""";
    private static final String ANSWER = "{\"amount\":7}";

    private static final List<Story> STORIES = List.of(
            new Story(
                    "Happy path",
                    "A request takes effect. Billing is an effect like any other.",
                    scene -> signed(scene).outcome("mail", Result.SUCCEEDED)),
            new Story(
                    "Duplicate",
                    "The same request again, while it runs and after its end. It is answered and changes nothing.",
                    scene -> signed(scene.request(REQUEST).request(REQUEST))
                            .outcome("mail", Result.SUCCEEDED)
                            .request(REQUEST)),
            new Story(
                    "Conflict",
                    "The same request_id with another content is refused with both fingerprints.",
                    scene -> scene.request(REQUEST).request(REQUEST.replace("review", "burn"))),
            new Story(
                    "Model retry",
                    "A call fails in a way that may pass. The backoff is in the store, so a crash loses no count.",
                    scene -> scene.request(REQUEST)
                            .fails(503)
                            .waits(Duration.ofMinutes(2))
                            .answers(ANSWER)),
            new Story(
                    "Crash before the journal",
                    "The process dies with the call in flight. Its answer was journaled nowhere: the call is made again, this once.",
                    scene -> scene.request(REQUEST).crash().answers(ANSWER)),
            new Story(
                    "Crash after the journal",
                    "The process dies after the answer was journaled. The answer is found there, and no second call is made.",
                    scene -> scene.request(REQUEST).answersUnread(ANSWER).crash()),
            new Story(
                    "UNKNOWN effect",
                    "Nobody can know whether an effect was carried out. It is not guessed: a person says so.",
                    scene -> scene.request(REQUEST)
                            .answers(ANSWER)
                            .outcome("billing", Result.SUCCEEDED)
                            .outcome("sign", Result.UNKNOWN)
                            .resolves("sign")
                            .outcome("mail", Result.SUCCEEDED)),
            new Story(
                    "Compensation",
                    "A later effect fails for good; what was carried out before is taken back.",
                    scene -> signed(scene).outcome("mail", Result.FAILED).outcome("sign", Result.SUCCEEDED)),
            new Story(
                    "Callback",
                    "The receiver takes the effect and says later what became of it.",
                    scene -> scene.request(REQUEST)
                            .answers(ANSWER)
                            .outcome("billing", Result.SUCCEEDED)
                            .outcome("sign", Result.AWAITING_CALLBACK)
                            .note("the callback arrives, is verified and published as an outcome")
                            .outcome("sign", Result.SUCCEEDED)
                            .outcome("mail", Result.SUCCEEDED)));

    private PathsPage() {}

    private record Story(String title, String words, UnaryOperator<Scene> play) {}

    private static Scene signed(Scene scene) {
        return (scene.hasBegun() ? scene : scene.request(REQUEST))
                .answers(ANSWER)
                .outcome("billing", Result.SUCCEEDED)
                .outcome("sign", Result.SUCCEEDED);
    }

    static String markdown() {
        StringBuilder page = new StringBuilder("# Paths\n\n" + Pages.NOTE
                + "Each diagram is drawn from a run of the real topology: an arrow to or from `once` is a record that was read or"
                + " written. A note on the right is a move of the request, as `lifecycle-events` tells it.\n");
        for (Story story : STORIES) {
            page.append("\n## %s\n\n%s\n\n%s".formatted(story.title(), story.words(), play(story)));
        }
        return page.toString();
    }

    private static String play(Story story) {
        try {
            Path dir = Files.createTempDirectory("once-scene");
            try (Scene scene = new Scene(dir)) {
                return story.play().apply(scene).mermaid();
            } finally {
                delete(dir);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot play '" + story.title() + "'", e);
        }
    }

    private static void delete(Path dir) throws IOException {
        List<Path> found;
        try (Stream<Path> all = Files.walk(dir)) {
            found = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : found) {
            Files.deleteIfExists(path);
        }
    }
}
