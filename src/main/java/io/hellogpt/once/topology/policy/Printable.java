package io.hellogpt.once.topology.policy;

/** Text that a model chose, made fit for reasons and logs. */
final class Printable {
    private static final int LONGEST = 64;

    private Printable() {}

    static String name(String text) {
        String cut = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
        return cut.replaceAll("[^A-Za-z0-9_./~-]", "?");
    }
}
