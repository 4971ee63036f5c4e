package io.hellogpt.once.topology;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.TraceContext;
import java.util.Optional;

/** Under which span whoever is called, or reads what is written, goes on with a request's trace. */
public interface Traces {
    /** No spans are made here: what the sender said goes on to whoever is called, as it is. */
    Traces PASSED_ON = new Traces() {
        @Override
        public Optional<TraceContext> of(ModelCall call) {
            return call.trace();
        }

        @Override
        public Optional<TraceContext> of(Effect effect) {
            return effect.trace();
        }

        @Override
        public Optional<TraceContext> of(Identity request) {
            return request.trace();
        }
    };

    /** For the model's server. */
    Optional<TraceContext> of(ModelCall call);

    /** For the receiver. */
    Optional<TraceContext> of(Effect effect);

    /** For whoever reads the request's ending. */
    Optional<TraceContext> of(Identity request);
}
