package io.hellogpt.once.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * README.md, and what of it can be run: code below a comment {@code <!-- runnable: a, b -->} ends well and shows both; below
 * {@code <!-- runnable, in a moment: a, b -->} it does so in the end, and may have to be run again until then.
 */
record Readme(String text) {
    private static final Pattern RUNNABLE = Pattern.compile(
            "<!-- runnable(?<later>, in a moment)?(?:: (?<shows>.*?))? -->\n```(?<language>sh|java)\n(?<code>.*?)```\n",
            Pattern.DOTALL);

    /**
     * A piece of code.
     *
     * @param shows what its output must contain
     */
    record Block(String language, boolean later, List<String> shows, String code) {
        /** Its first line, to tell it from the others. */
        String title() {
            return code.lines().findFirst().orElse("");
        }

        private static Block of(MatchResult match) {
            List<String> shows = match.group("shows") == null
                    ? List.of()
                    : List.of(match.group("shows").split(", "));
            return new Block(match.group("language"), match.group("later") != null, shows, match.group("code"));
        }
    }

    static Readme read() {
        try {
            return new Readme(Files.readString(Path.of("README.md")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Block> runnable() {
        return RUNNABLE.matcher(text).results().map(Block::of).toList();
    }

    /** The first group of every match, each once. */
    List<String> all(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        return matcher.results().map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new)).stream()
                .toList();
    }

    /** Words of the commands of {@code once} in its code, from the verb on, up to a pipe, a line's end or a comment. */
    List<List<String>> commands() {
        String joined = text.replace("\\\n", " ");
        return Pattern.compile("(?:bin/|`)once ([a-z][^|\n`#&]*)")
                .matcher(joined)
                .results()
                .map(match -> Arrays.asList(match.group(1).strip().split("\\s+")))
                .toList();
    }
}
