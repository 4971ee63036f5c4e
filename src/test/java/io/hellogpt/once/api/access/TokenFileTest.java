package io.hellogpt.once.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.api.Caller;
import io.hellogpt.once.api.Problem;
import io.hellogpt.once.api.ProblemException;
import io.hellogpt.once.api.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-30T12:00:00Z"), ZoneOffset.UTC);

    @TempDir
    Path directory;

    @Test
    void aTokenIsKnownByItsHashAndHasItsRoles() throws IOException {
        TokenFile tokens = file("# who may what", "", "ada " + TokenFile.hash("s3cret") + " submit,read");

        assertThat(tokens.identify(Optional.of("Bearer s3cret"), Optional.empty()))
                .isEqualTo(new Caller("ada", Set.of(Role.SUBMIT, Role.READ)));
        assertThat(tokens.identify(Optional.of("bearer   s3cret "), Optional.empty())
                        .name())
                .isEqualTo("ada");
    }

    @Test
    void whoIsNotKnownIsToldSoAndNotWhy() throws IOException {
        TokenFile tokens = file("ada " + TokenFile.hash("s3cret") + " submit");

        assertRefused(() -> tokens.identify(Optional.empty(), Optional.empty()), "send a token");
        assertRefused(() -> tokens.identify(Optional.of("Bearer other"), Optional.empty()), "not known");
        assertRefused(
                () -> tokens.identify(Optional.of("Bearer " + TokenFile.hash("s3cret")), Optional.empty()),
                "not known");
        assertRefused(() -> tokens.identify(Optional.of("Basic czNjcmV0"), Optional.empty()), "only bearer");
    }

    @Test
    void aTokenEndsWhenItExpires() throws IOException {
        TokenFile tokens = file(
                "old " + TokenFile.hash("old") + " read 2026-11-30T12:00:00Z",
                "young " + TokenFile.hash("young") + " read 2026-11-30T12:00:01Z");

        assertRefused(() -> tokens.identify(Optional.of("Bearer old"), Optional.empty()), "expired");
        assertThat(tokens.identify(Optional.of("Bearer young"), Optional.empty())
                        .name())
                .isEqualTo("young");
    }

    @Test
    void aChangedFileCountsAtOnceAndABrokenOneChangesNothing() throws IOException {
        TokenFile tokens = file("ada " + TokenFile.hash("first") + " read");

        rewrite("ada " + TokenFile.hash("second") + " read", 1);
        assertRefused(() -> tokens.identify(Optional.of("Bearer first"), Optional.empty()), "not known");
        assertThat(tokens.identify(Optional.of("Bearer second"), Optional.empty())
                        .name())
                .isEqualTo("ada");

        rewrite("ada second read", 2);
        assertThat(tokens.identify(Optional.of("Bearer second"), Optional.empty())
                        .name())
                .isEqualTo("ada");
    }

    @Test
    void aBrokenLineIsNamedAndNotQuoted() {
        assertThatThrownBy(() -> file("# tokens", "ada plain-token read"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2")
                .hasMessageNotContaining("plain-token");
        assertThatThrownBy(() -> file("ada " + TokenFile.hash("x") + " root")).hasMessageContaining("roles out of");
        assertThatThrownBy(() -> file("ada " + TokenFile.hash("x") + " read tomorrow"))
                .hasMessageContaining("a time");
        assertThatThrownBy(() -> new TokenFile(directory.resolve("none"), CLOCK))
                .hasMessageContaining("cannot be read");
    }

    private static void assertRefused(ThrowingCallable call, String words) {
        assertThatThrownBy(call).isInstanceOfSatisfying(ProblemException.class, refused -> {
            assertThat(refused.problem().kind()).isEqualTo(Problem.Kind.UNAUTHENTICATED);
            assertThat(refused.problem().detail()).contains(words);
        });
    }

    private TokenFile file(String... lines) throws IOException {
        Path file = directory.resolve("tokens");
        Files.writeString(file, String.join("\n", lines));
        return new TokenFile(file, CLOCK);
    }

    private void rewrite(String line, int later) throws IOException {
        Path file = directory.resolve("tokens");
        Files.writeString(file, line);
        Files.setLastModifiedTime(file, FileTime.from(CLOCK.instant().plusSeconds(later)));
    }
}
