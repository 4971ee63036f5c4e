package io.hellogpt.once.replay.junit;

import io.hellogpt.once.core.DecisionPolicy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that replays a capture before its body runs, and fails when the replay diverges:
 *
 * <pre>
 * &#64;ReplayOf("incident.avro")
 * void theIncidentOfMarchEndsAsItDid() {}
 * </pre>
 *
 * The body may take the {@link io.hellogpt.once.replay.ReplayReport} as a parameter and look closer.
 */
@Test
@ExtendWith(ReplayExtension.class)
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ReplayOf {
    /** The capture: a resource beside the test class, or one with an absolute name, or a file. */
    String value();

    /** Decides every request in place of the policy it names; the replay is then not required to be equal. */
    Class<? extends DecisionPolicy> policy() default DecisionPolicy.class;

    /** Settings with other values than recorded, {@code name=value}; the replay is then not required to be equal. */
    String[] configuration() default {};
}
