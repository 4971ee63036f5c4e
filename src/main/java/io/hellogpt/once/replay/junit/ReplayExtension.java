package io.hellogpt.once.replay.junit;

import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.replay.Divergence;
import io.hellogpt.once.replay.Replay;
import io.hellogpt.once.replay.ReplayListener;
import io.hellogpt.once.replay.ReplayOptions;
import io.hellogpt.once.replay.ReplayReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Replays the capture of a {@link ReplayOf} test and hands its report to the test's body. */
public final class ReplayExtension implements BeforeTestExecutionCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(ReplayExtension.class);
    private static final int FIRST = 10;

    @Override
    public void beforeTestExecution(ExtensionContext context) throws Exception {
        ReplayReport report = report(context);
        if (!report.whatIf() && !report.isEqual()) {
            throw new AssertionError("%d differences in the replay of %s:%n%s"
                    .formatted(
                            report.divergences().size(),
                            report.capture(),
                            report.divergences().stream()
                                    .limit(FIRST)
                                    .map(ReplayExtension::line)
                                    .collect(Collectors.joining(System.lineSeparator()))));
        }
    }

    private static String line(Divergence each) {
        return "  %s %s %s: recorded %s, replayed %s"
                .formatted(each.requestId(), each.topic(), each.field(), each.recorded(), each.replayed());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ReplayReport.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return report(context);
    }

    private static ReplayReport report(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .computeIfAbsent(context.getUniqueId(), unused -> replay(context), ReplayReport.class);
    }

    private static ReplayReport replay(ExtensionContext context) {
        ReplayOf asked = context.getRequiredTestMethod().getAnnotation(ReplayOf.class);
        Map<String, String> configuration = new HashMap<>();
        for (String pair : asked.configuration()) {
            configuration.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
        ReplayOptions options = new ReplayOptions(policy(asked), configuration, Optional.empty());
        try (InputStream resource = context.getRequiredTestClass().getResourceAsStream(asked.value())) {
            if (resource == null) {
                return Replay.of(Path.of(asked.value()), options, ReplayListener.NONE);
            }
            Path copy = Files.createTempFile("replay-of", ".avro");
            try {
                Files.copy(resource, copy, StandardCopyOption.REPLACE_EXISTING);
                return Replay.of(copy, options, ReplayListener.NONE);
            } finally {
                Files.delete(copy);
            }
        } catch (IOException unreadable) {
            throw new java.io.UncheckedIOException("cannot read " + asked.value(), unreadable);
        }
    }

    private static Optional<DecisionPolicy> policy(ReplayOf asked) {
        if (asked.policy() == DecisionPolicy.class) {
            return Optional.empty();
        }
        try {
            return Optional.of(asked.policy().getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(asked.policy().getName() + " needs a constructor without parameters", e);
        }
    }
}
