package io.hellogpt.once.api;

import java.time.Duration;

/**
 * How much a client may take of the server.
 *
 * @param bodyBytes longest body read
 * @param headerBytes longest line and headers of a request together
 * @param clientTimeout how long a client may take to send its headers, to send its body, and to take a piece of the answer
 * @param connections open at the same time
 */
public record Limits(int bodyBytes, int headerBytes, Duration clientTimeout, int connections) {}
