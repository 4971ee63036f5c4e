package io.hellogpt.once.embedded;

/** Is told how something long goes. Called by one thread at a time. */
public interface Narrator {
    /** Something happened that is worth keeping on the screen. */
    void say(String line);

    /** How far it is; replaces what was said about that before. */
    void progress(String text);
}
