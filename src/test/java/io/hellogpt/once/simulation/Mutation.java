package io.hellogpt.once.simulation;

import java.util.Set;

/** A deliberate breakage of the protocol. */
interface Mutation {
    /** The protocol with this breakage in it; a new one for each world. */
    Protocol broken();

    /** The checks one of which must notice. */
    Set<String> caughtBy();
}
