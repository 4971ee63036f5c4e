/**
 * Everything the product talks to, on one machine without Docker: a broker, a Connect worker, PostgreSQL, a simulated model server and
 * simulated receivers, each a process of its own on loopback, and the demo that breaks them.
 *
 * <p>Must not live here: anything production code needs.
 */
package io.hellogpt.once.embedded;
