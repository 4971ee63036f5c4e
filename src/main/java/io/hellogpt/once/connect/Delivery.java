package io.hellogpt.once.connect;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.SourcePosition;

/** One attempt as it was read. */
record Delivery(SourcePosition position, Effect effect) {}
