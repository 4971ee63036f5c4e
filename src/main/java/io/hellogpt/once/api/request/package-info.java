/** Requests over HTTP: taken in, waited for, looked up, operated, and their events. */
package io.hellogpt.once.api.request;
