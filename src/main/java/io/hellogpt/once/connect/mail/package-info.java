/**
 * Mails as effects: the letter made of a payload, and its way to an SMTP server.
 *
 * <p>Must not live here: repetitions. A mail server can neither deduplicate nor be asked, so what is in doubt stays in doubt.
 */
package io.hellogpt.once.connect.mail;
