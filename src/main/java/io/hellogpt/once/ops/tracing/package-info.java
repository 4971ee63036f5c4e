/**
 * Spans of the life of a request, from the facts that were applied to it, and their way to a collector. Nothing here decides
 * anything, and nothing but this package knows OpenTelemetry; which trace a record names is the topology's.
 */
package io.hellogpt.once.ops.tracing;
