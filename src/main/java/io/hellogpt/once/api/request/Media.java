package io.hellogpt.once.api.request;

import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.Problem;
import java.util.Locale;

/** What a body is said to be. */
public final class Media {
    private Media() {}

    /**
     * Other types, and none, are what a browser sends for a page of somebody else without asking first.
     *
     * @throws io.hellogpt.once.api.ProblemException 415 when the body is not said to be JSON
     */
    public static void requireJson(Exchange exchange) {
        String type = exchange.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        String bare = type.contains(";") ? type.substring(0, type.indexOf(';')).strip() : type.strip();
        if (!bare.equals("application/json")) {
            throw Problem.of(Problem.Kind.UNSUPPORTED, "send the header Content-Type: application/json")
                    .asException();
        }
    }
}
