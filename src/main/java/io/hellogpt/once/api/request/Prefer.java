package io.hellogpt.once.api.request;

import io.hellogpt.once.api.Exchange;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code Prefer: wait=30} (RFC 7240, section 4.3): how long a client would wait for more than an acknowledgement. */
final class Prefer {
    private static final Pattern WAIT = Pattern.compile("(?:^|[,;]\\s*|\\s)wait\\s*=\\s*\"?(\\d{1,6})\"?");

    private Prefer() {}

    /** @return as asked, but not more than {@code most}; empty when the client does not ask for it */
    static Optional<Duration> wait(Exchange exchange, Duration most) {
        Optional<Duration> asked = exchange.header("Prefer")
                .map(WAIT::matcher)
                .filter(Matcher::find)
                .map(found -> Duration.ofSeconds(Long.parseLong(found.group(1))))
                .map(wait -> wait.compareTo(most) < 0 ? wait : most);
        asked.ifPresent(wait -> exchange.answerHeader("Preference-Applied", "wait=" + wait.toSeconds()));
        return asked;
    }
}
