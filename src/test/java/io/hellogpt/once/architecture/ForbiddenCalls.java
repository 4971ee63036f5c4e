package io.hellogpt.once.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.apache.kafka.streams.processor.StateStore;

/** Calls, and references to methods, that are wrong in most places. */
final class ForbiddenCalls {
    static final DescribedPredicate<JavaAccess<?>> OF_CLOCK_ENVIRONMENT_OR_RANDOMNESS = DescribedPredicate.describe(
            "the target is a clock, the environment or unseeded randomness",
            access -> isClock(access) || isEnvironment(access) || isRandom(access));

    static final DescribedPredicate<JavaAccess<?>> THAT_WRITE_A_STORE = DescribedPredicate.describe(
            "the target writes a state store",
            access -> access.getTargetOwner().isAssignableTo(StateStore.class)
                    && Set.of("put", "putAll", "putIfAbsent", "delete")
                            .contains(access.getTarget().getName()));

    static final DescribedPredicate<JavaAccess<?>> THAT_END_THE_PROCESS = DescribedPredicate.describe(
            "the target ends the process",
            access -> is(access, System.class, "exit")
                    || is(access, Runtime.class, "exit")
                    || is(access, Runtime.class, "halt"));

    private ForbiddenCalls() {}

    static DescribedPredicate<JavaClass> oneOf(Class<?>... types) {
        return DescribedPredicate.describe(
                "are one of " + List.of(types), type -> List.of(types).stream().anyMatch(type::isEquivalentTo));
    }

    private static boolean isClock(JavaAccess<?> access) {
        return is(access, System.class, "currentTimeMillis")
                || is(access, System.class, "nanoTime")
                || List.of(
                                Instant.class,
                                LocalDate.class,
                                LocalDateTime.class,
                                OffsetDateTime.class,
                                ZonedDateTime.class)
                        .stream()
                        .anyMatch(type -> is(access, type, "now"));
    }

    private static boolean isEnvironment(JavaAccess<?> access) {
        return is(access, System.class, "getenv")
                || is(access, System.class, "getProperty")
                || is(access, System.class, "getProperties");
    }

    private static boolean isRandom(JavaAccess<?> access) {
        return is(access, Math.class, "random")
                || is(access, UUID.class, "randomUUID")
                || is(access, RandomGenerator.class, "getDefault")
                || access.getTargetOwner().isAssignableTo("java.security.SecureRandom")
                || access.getTargetOwner().isEquivalentTo(ThreadLocalRandom.class)
                || isUnseeded(access, Random.class, "<init>", 0)
                || isUnseeded(access, SplittableRandom.class, "<init>", 0)
                || isUnseeded(access, Collections.class, "shuffle", 1);
    }

    /** The variant of a method that finds a seed itself is the one with few parameters. */
    private static boolean isUnseeded(JavaAccess<?> access, Class<?> owner, String name, int parameters) {
        return is(access, owner, name)
                && access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target
                && target.getRawParameterTypes().size() == parameters;
    }

    private static boolean is(JavaAccess<?> access, Class<?> owner, String name) {
        return access.getTargetOwner().isEquivalentTo(owner)
                && access.getTarget().getName().equals(name);
    }
}
