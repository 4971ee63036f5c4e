/**
 * The connector's settings, each declared once with its consequence, and what they mean together.
 *
 * <p>Must not live here: I/O. A configuration is judged without reaching for a database, a broker or a receiver.
 */
package io.hellogpt.once.connect.config;
