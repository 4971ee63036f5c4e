/**
 * The benchmark: how fast the system is on one machine, as ratios within one run wherever there is something to compare with.
 */
package io.hellogpt.once.embedded.bench;
