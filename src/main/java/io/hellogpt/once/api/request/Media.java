package io.hellogpt.once.api.request;

import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.Problem;
import java.util.Locale;

/** What a body is said to be. */
public final class Media {
    private Media() {}

    /** @throws io.hellogpt.once.api.ProblemException 415 when the body is said to be something else than JSON */
    public static void requireJson(Exchange exchange) {
        String type = exchange.header("Content-Type").orElse("application/json").toLowerCase(Locale.ROOT);
        String bare = type.contains(";") ? type.substring(0, type.indexOf(';')).strip() : type.strip();
        // What curl says of a body unless told otherwise; it is not worth an error.
        boolean curl = bare.equals("application/x-www-form-urlencoded");
        if (!curl && !bare.equals("application/json") && !bare.endsWith("+json")) {
            throw Problem.of(Problem.Kind.UNSUPPORTED, "send application/json").asException();
        }
    }
}
