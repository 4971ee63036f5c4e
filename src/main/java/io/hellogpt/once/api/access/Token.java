package io.hellogpt.once.api.access;

import io.hellogpt.once.api.Role;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One line of a file of tokens: {@code name sha256 roles [expires]}, separated by white space; roles by commas, the time in ISO 8601.
 * Empty lines and those that begin with {@code #} are passed over.
 */
record Token(String name, byte[] sha256, Set<Role> roles, Optional<Instant> expires) {
    private static final int HEX_DIGITS = 64;

    static List<Token> parse(List<String> lines) {
        List<Token> tokens = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                tokens.add(parse(line.split("\\s+"), i + 1));
            }
        }
        return List.copyOf(tokens);
    }

    private static Token parse(String[] words, int line) {
        if (words.length < 3 || words.length > 4) {
            throw broken(line, "name, SHA-256 of the token, roles, and perhaps when it expires");
        }
        if (words[1].length() != HEX_DIGITS) {
            throw broken(line, "as the second word the token's SHA-256 in 64 hexadecimal digits, never the token");
        }
        EnumSet<Role> roles = EnumSet.noneOf(Role.class);
        Arrays.stream(words[2].split(","))
                .forEach(word -> roles.add(Role.of(word)
                        .orElseThrow(() -> broken(line, "roles out of submit, read, operate and payload"))));
        try {
            return new Token(
                    words[0],
                    HexFormat.of().parseHex(words[1]),
                    roles,
                    words.length == 4 ? Optional.of(Instant.parse(words[3])) : Optional.empty());
        } catch (DateTimeException noTime) {
            throw broken(line, "as the fourth word a time such as 2027-01-01T00:00:00Z");
        } catch (IllegalArgumentException noHex) {
            throw broken(line, "as the second word the token's SHA-256 in hexadecimal digits");
        }
    }

    private static IllegalArgumentException broken(int line, String wanted) {
        return new IllegalArgumentException(
                "line " + line + " of the file of tokens is not understood: it must have " + wanted);
    }
}
