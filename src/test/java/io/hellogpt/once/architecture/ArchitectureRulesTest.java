package io.hellogpt.once.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import io.hellogpt.once.architecture.fixtures.Offenders;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Shows that every rule objects to what it is there for, and to nothing else. */
class ArchitectureRulesTest {
    private static final String FIXTURES = "io.hellogpt.once.architecture.fixtures";
    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(FIXTURES);
    private static final Map<String, ArchRule> RULES = new ArchitectureRules(FIXTURES).all();

    @Test
    void everyRuleHasAnOffender() {
        assertThat(Offenders.BY_RULE.keySet()).isEqualTo(RULES.keySet());
    }

    @TestFactory
    Stream<DynamicTest> ruleObjectsTo() {
        return Offenders.BY_RULE.entrySet().stream()
                .flatMap(rule -> rule.getValue().stream()
                        .map(offender -> DynamicTest.dynamicTest(
                                rule.getKey() + ": " + offender.getSimpleName(),
                                () -> assertThat(violations(rule.getKey())).anyMatch(names(offender)))));
    }

    @TestFactory
    Stream<DynamicTest> noRuleObjectsTo() {
        return Offenders.INNOCENT.stream()
                .map(innocent -> DynamicTest.dynamicTest(
                        innocent.getSimpleName(),
                        () -> assertThat(RULES.keySet())
                                .allSatisfy(rule -> assertThat(violations(rule)).noneMatch(names(innocent)))));
    }

    @Test
    void everyRuleSaysHowToComply() {
        assertThat(RULES.values())
                .allSatisfy(rule ->
                        assertThat(rule.getDescription()).contains("because").contains("To comply, "));
    }

    /** The class itself, not one nested in it. */
    private static Predicate<String> names(Class<?> type) {
        return Pattern.compile(Pattern.quote(type.getName()) + "(?![\\w$])").asPredicate();
    }

    private static List<String> violations(String rule) {
        EvaluationResult result = RULES.get(rule).evaluate(CLASSES);
        return result.getFailureReport().getDetails();
    }
}
