/** Callbacks of receivers: verified (Standard Webhooks), bound to their effect, written to {@code effect-outcomes}. */
package io.hellogpt.once.api.callback;
