package io.hellogpt.once.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Bounds of a route's calls. */
final class LimitKeys {
    static final String TIMEOUT = "timeout.ms";
    static final String CONNECT_TIMEOUT = "connect.timeout.ms";
    static final String MAX_IN_FLIGHT = "max.in.flight";
    static final String REQUEST_BYTES = "request.max.bytes";
    static final String RESPONSE_BYTES = "response.max.bytes";
    static final String HEADER_BYTES = "header.max.bytes";

    private LimitKeys() {}

    static void define(ConfigDef def) {
        new KeyGroup(def, "Limits")
                .standard(
                        TIMEOUT,
                        Type.LONG,
                        10_000L,
                        Range.between(1, 600_000),
                        "How long one call may take, from start to the end of the response and with a token to be fetched first, in"
                                + " milliseconds. A call that runs into it is in doubt.")
                .standard(
                        CONNECT_TIMEOUT,
                        Type.LONG,
                        3_000L,
                        Range.between(1, 600_000),
                        "How long connecting to one address may take, in milliseconds. A call that runs into it was certainly not"
                                + " sent.")
                .standard(
                        MAX_IN_FLIGHT,
                        Type.INT,
                        64,
                        Range.between(1, 10_000),
                        "Calls of one task to this receiver at a time. More is faster until the receiver objects.")
                .standard(
                        REQUEST_BYTES,
                        Type.INT,
                        1_048_576,
                        Range.atLeast(1),
                        "Largest payload sent, in bytes; a larger one is FAILED without a call.")
                .standard(
                        RESPONSE_BYTES,
                        Type.INT,
                        65_536,
                        Range.atLeast(0),
                        "How much of a response body is read, in bytes; a reference beyond it is not seen.")
                .standard(
                        HEADER_BYTES,
                        Type.INT,
                        16_384,
                        Range.between(1_024, 1_048_576),
                        "Largest sum of the headers sent, and largest single header line read, in bytes. What would send more is"
                                + " FAILED without a call; a response with more is in doubt.");
    }

    static Route.Limits read(RouteSettings settings) {
        return new Route.Limits(
                settings.millis(CONNECT_TIMEOUT),
                settings.millis(TIMEOUT),
                settings.number(REQUEST_BYTES),
                settings.number(RESPONSE_BYTES),
                settings.number(HEADER_BYTES),
                settings.number(MAX_IN_FLIGHT));
    }
}
