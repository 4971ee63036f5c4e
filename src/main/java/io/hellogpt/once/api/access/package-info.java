/** Who may do what: bearer tokens in a file, hashed. */
package io.hellogpt.once.api.access;
