/**
 * Everything the product talks to, on one machine without Docker
 *
 * <p>Must not live here:  broker, Connect worker, PostgreSQL, a simulated model server, simulated receivers, and the demo.:anything production code needs.
 */
package io.hellogpt.once.embedded;
