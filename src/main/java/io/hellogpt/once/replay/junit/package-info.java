/**
 * For users' own tests: {@link io.hellogpt.once.replay.junit.ReplayOf} makes a captured incident a regression test. Needs JUnit
 * Jupiter on the class path, which nothing else of the product does.
 */
package io.hellogpt.once.replay.junit;
