/**
 * What an instance tells Prometheus about requests, effects and stores.
 *
 * <p>Lives here: meters fed by the stages' facts, and gauges counted from the stores.
 *
 * <p>Must not live here: anything a decision depends on; tags with the name of a request.
 */
package io.hellogpt.once.ops.meters;
