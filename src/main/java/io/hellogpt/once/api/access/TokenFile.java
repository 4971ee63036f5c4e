package io.hellogpt.once.api.access;

import io.hellogpt.once.api.Access;
import io.hellogpt.once.api.Caller;
import io.hellogpt.once.api.Problem;
import io.hellogpt.once.api.ProblemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bearer tokens (RFC 6750), read from a file that holds their SHA-256 and never the tokens: whoever reads the file cannot call. A
 * changed file counts from the next request on; one that can no longer be read leaves the tokens as they were and is logged.
 *
 * <p>Plain SHA-256 is enough for tokens that are random and long, and only for those: no list of likely ones exists to try.
 */
public final class TokenFile implements Access {
    private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
    private static final String SCHEME = "Bearer ";

    private final Path file;
    private final Clock clock;
    private volatile Contents contents;

    private record Contents(FileTime modified, List<Token> tokens) {}

    /**
     * Reads the file.
     *
     * @throws IllegalArgumentException when it cannot be read, naming the line but not what stands there
     */
    public TokenFile(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
        try {
            this.contents = read(Files.getLastModifiedTime(file));
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("the file of tokens " + file + " cannot be read", unreadable);
        }
    }

    @Override
    public Caller identify(Optional<String> authorization, Optional<String> host) {
        String header = authorization.orElseThrow(() -> refused("send a token: Authorization: Bearer <token>"));
        if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw refused("only bearer tokens are understood: Authorization: Bearer <token>");
        }
        byte[] digest = sha256(header.substring(SCHEME.length()).strip());
        Optional<Token> found = Optional.empty();
        // All of them, each in constant time: how long it takes says nothing about what stands in the file.
        for (Token token : current()) {
            if (MessageDigest.isEqual(token.sha256(), digest)) {
                found = Optional.of(token);
            }
        }
        Token token = found.orElseThrow(() -> refused("this token is not known here"));
        if (token.expires().filter(end -> !end.isAfter(clock.instant())).isPresent()) {
            throw refused("the token " + token.name() + " expired at "
                    + token.expires().get());
        }
        return new Caller(token.name(), token.roles());
    }

    private List<Token> current() {
        Contents known = contents;
        try {
            FileTime modified = Files.getLastModifiedTime(file);
            if (!modified.equals(known.modified())) {
                known = read(modified);
                LOG.info(
                        "event=tokens_read file={} tokens={}",
                        file,
                        known.tokens().size());
            }
        } catch (IOException | IllegalArgumentException unreadable) {
            LOG.error("event=tokens_unreadable file={} action=\"the tokens read before stay valid\"", file, unreadable);
            known = new Contents(modifiedOr(known.modified()), known.tokens());
        }
        contents = known;
        return known.tokens();
    }

    /** So that a broken file is logged once and not with every request. */
    private FileTime modifiedOr(FileTime before) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException gone) {
            return before;
        }
    }

    private Contents read(FileTime modified) throws IOException {
        return new Contents(modified, Token.parse(Files.readAllLines(file, StandardCharsets.UTF_8)));
    }

    private static ProblemException refused(String detail) {
        return Problem.of(Problem.Kind.UNAUTHENTICATED, detail).asException();
    }

    /** What stands in the file for a token. */
    public static String hash(String token) {
        return HexFormat.of().formatHex(sha256(token));
    }

    private static byte[] sha256(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
