/**
 * Language models, and the gateway between them and the topology.
 *
 * <p>Lives here: the {@link io.hellogpt.once.model.ModelClient} SPI and its built-in clients, the gateway that runs calls on
 * virtual threads, and the writer of the journal.
 *
 * <p>Must not live here: decisions about requests, retries of calls (the topology decides those, where they are durable),
 * access to stores.
 */
package io.hellogpt.once.model;
