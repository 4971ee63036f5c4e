/** What the HTTP API asks of an instance, answered from its stores, its topics and its parts. */
package io.hellogpt.once.ops.http;
