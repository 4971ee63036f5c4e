package io.hellogpt.once.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Holds the product to {@link ArchitectureRules}. */
class ArchitectureTest {
    private static final String PRODUCT = "io.hellogpt.once";

    @TestFactory
    Stream<DynamicTest> productKeeps() {
        JavaClasses product = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(PRODUCT);
        return new ArchitectureRules(PRODUCT)
                .all().entrySet().stream()
                        .map(rule -> DynamicTest.dynamicTest(
                                rule.getKey(), () -> rule.getValue().check(product)));
    }
}
