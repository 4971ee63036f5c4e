package io.hellogpt.once.embedded.bench;

import java.util.List;
import java.util.Set;

/** One question, answered with figures. */
interface Benchmark {
    /** B1 to B13. */
    String id();

    /** All questions that are answered on the way, this one among them. */
    default Set<String> ids() {
        return Set.of(id());
    }

    /** The question, in a line. */
    String what();

    /**
     * Measures.
     *
     * @param lab with a broker that runs; whatever is started in it besides must be closed again
     */
    List<Row> run(Lab lab, Scale scale) throws Exception;
}
