package io.hellogpt.once.embedded.bench;

import java.util.List;

/** One question, answered with figures. */
interface Benchmark {
    /** B1 to B13. */
    String id();

    /** The question, in a line. */
    String what();

    /**
     * Measures.
     *
     * @param lab with a broker that runs; whatever is started in it besides must be closed again
     */
    List<Row> run(Lab lab, Scale scale) throws Exception;
}
