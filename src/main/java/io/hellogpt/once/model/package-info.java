/**
 * Language models
 *
 * <p>Must not live here:  the {@code ModelClient} SPI, its built-in implementations, the gateway that runs calls on virtual threads, and the journal writer.:decisions about requests, store access; a client never retries on its own.
 */
package io.hellogpt.once.model;
