package io.hellogpt.once.ops.verify;

/** The seven guarantees. */
public enum Guarantee {
    G1("one ending"),
    G2("one snapshot"),
    G3("one effect"),
    G4("calls nearly once"),
    G5("conservation"),
    G6("conflicts refused"),
    G7("billing");

    private final String title;

    Guarantee(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
