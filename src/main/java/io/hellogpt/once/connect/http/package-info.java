/**
 * Receivers behind HTTP: requests, signatures, credentials, the client, and what responses mean.
 *
 * <p>Must not live here: repetitions of an attempt, which the topology decides, and anything about the ledger's rows.
 */
package io.hellogpt.once.connect.http;
