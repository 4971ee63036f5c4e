/**
 * The command {@code once}, one verb per class.
 *
 * <p>Lives here: parsing, calling, printing, and exit codes. Only this package uses picocli and ends the process.
 *
 * <p>Must not live here: logic a library user might want.
 */
package io.hellogpt.once.cli;
