package io.hellogpt.once.api;

import java.util.Locale;
import java.util.Optional;

/** What a caller may do; a token has one or more of these. */
public enum Role {
    /** Send requests, and see the answers to what one sends. */
    SUBMIT,
    /** See where requests stand, without prompts, answers and payloads. */
    READ,
    /** Tell the system what to do with a request. */
    OPERATE,
    /** See prompts, answers and payloads too; together with {@link #READ}. */
    PAYLOAD;

    /** As it stands in a file of tokens. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of that word, if there is one. */
    public static Optional<Role> of(String word) {
        for (Role role : values()) {
            if (role.word().equals(word)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
