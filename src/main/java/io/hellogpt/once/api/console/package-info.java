/** The page for people at {@code /}, and the figures it shows. Everything else it shows comes from the API that everybody uses. */
package io.hellogpt.once.api.console;
