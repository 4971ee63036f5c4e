/** The face that clients of OpenAI's API talk to: chat completions, each taken in once under its key. */
package io.hellogpt.once.api.chat;
