/**
 * The command {@code once}
 *
 * <p>Must not live here:  one verb, one class.:logic a library user might want; verbs parse, call and print. Only this package uses picocli and {@code System.exit}.
 */
package io.hellogpt.once.cli;
