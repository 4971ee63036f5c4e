/**
 * Connections of routes: which addresses may be connected to, and the TLS they are secured with.
 *
 * <p>Must not live here: what is sent over them.
 */
package io.hellogpt.once.connect.net;
