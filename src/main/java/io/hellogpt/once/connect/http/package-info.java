/**
 * Calls to receivers over HTTP: one attempt, one request, one verdict.
 *
 * <p>Must not live here: retries of any kind, silent ones of the client included; the ledger.
 */
package io.hellogpt.once.connect.http;
