/** Brings a request of a client to the instance that holds what it is about. */
package io.hellogpt.once.api.peer;
