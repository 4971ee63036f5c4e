/** Microbenchmarks of what every request goes through in {@code core} and {@code schema}: {@code make jmh}. Not tests. */
package io.hellogpt.once.bench;
