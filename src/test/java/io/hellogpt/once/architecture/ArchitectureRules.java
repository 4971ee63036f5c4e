package io.hellogpt.once.architecture;

import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.TopologyTestDriver;

/**
 * What each package may see and do. The rules are made for a base package, so that the same rules hold the product and are
 * shown to object to fixtures laid out in the same way.
 */
final class ArchitectureRules {
    /** Which of our packages each package may use, besides itself; {@code cli} may use all. */
    private static final Map<String, Set<String>> MAY_USE = mayUse();

    private static final Set<String> PACKAGES =
            Set.of("core", "schema", "topology", "model", "replay", "api", "ops", "connect", "embedded", "cli");

    private final String base;

    ArchitectureRules(String base) {
        this.base = base;
    }

    /** Every rule by a short name. */
    Map<String, ArchRule> all() {
        Map<String, ArchRule> rules = new LinkedHashMap<>();
        MAY_USE.forEach((user, used) -> rules.put("direction of " + user, direction(user, used)));
        rules.put("no cycles", noCycles());
        rules.put("core is plain Java", coreIsPlainJava());
        rules.put("decisions repeat", decisionsRepeat());
        rules.put("stores are written in one place", storesAreWrittenInOnePlace());
        rules.put("test driver replays", testDriverReplays());
        rules.put("picocli stays in cli", picocliStaysInCli());
        rules.put("OpenTelemetry stays in tracing", openTelemetryStaysInTracing());
        rules.put("only cli exits", onlyCliExits());
        rules.put("generated classes stay in schema", generatedClassesStayInSchema());
        rules.put("connector brings its libraries", connectorBringsItsLibraries());
        rules.put("names say what a class is", namesSayWhatAClassIs());
        // A package that has no classes yet breaks no rule; that each rule can object is shown on fixtures.
        rules.replaceAll((name, rule) -> rule.allowEmptyShould(true));
        return rules;
    }

    private static Map<String, Set<String>> mayUse() {
        Set<String> running = Set.of("core", "schema", "topology", "model", "replay", "api", "ops");
        Map<String, Set<String>> uses = new LinkedHashMap<>();
        uses.put("core", Set.of());
        uses.put("schema", Set.of("core"));
        uses.put("connect", Set.of("core", "schema"));
        uses.put("topology", Set.of("core", "schema"));
        uses.put("model", running);
        uses.put("replay", running);
        uses.put("api", running);
        uses.put("ops", running);
        uses.put("embedded", Set.of("core", "schema", "topology", "model", "replay", "api", "ops", "connect"));
        return uses;
    }

    private ArchRule direction(String user, Set<String> used) {
        Set<String> forbidden = new TreeSet<>(PACKAGES);
        forbidden.removeAll(used);
        forbidden.remove(user);
        return noClasses()
                .that()
                .resideInAPackage(in(user))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden.stream().map(this::in).toArray(String[]::new))
                .because(
                        "the direction is core <- schema <- topology <- (model, replay, api, ops) <- embedded <- cli, and"
                                + " connect -> core, schema. To comply, move the type down to the lowest package that needs it,"
                                + " or declare an interface in " + user + " and let the other package implement it");
    }

    private ArchRule noCycles() {
        return slices().matching(base + ".(*)..")
                .should()
                .beFreeOfCycles()
                .because("two packages that need each other are one package that cannot be read or tested in part. To"
                        + " comply, let one of them declare an interface and hand the implementation in where the"
                        + " process is put together");
    }

    private ArchRule coreIsPlainJava() {
        return classes()
                .that()
                .resideInAPackage(in("core"))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("", "java.lang..", "java.util..", "java.time..", in("core"))
                .because(
                        "the simulation runs core millions of times a minute and a replay must give the same answer. To"
                                + " comply, let the caller do the I/O, parsing or hashing and pass in the result");
    }

    private ArchRule decisionsRepeat() {
        return noClasses()
                .that()
                .resideInAnyPackage(in("core"), in("topology"))
                .should(accessTargetWhere(ForbiddenCalls.OF_CLOCK_ENVIRONMENT_OR_RANDOMNESS))
                .orShould(dependOnClassesThat(ForbiddenCalls.oneOf(Clock.class, Time.class)))
                .because("after a crash or in a replay the same input must lead to the same output. To comply, take the"
                        + " time from the Moment or the processor's context, settings through the constructor, and"
                        + " derive what looks random from request_id and attempt, with a seeded Random");
    }

    private ArchRule storesAreWrittenInOnePlace() {
        DescribedPredicate<JavaClass> storeClass = DescribedPredicate.describe(
                "are topology's store classes, or the driver of a replay, which fills stores from changelogs as Streams does",
                type -> type.getPackageName().equals(base + ".topology")
                                && type.getSimpleName().endsWith("Store")
                        || type.getName().equals(base + ".replay.TaskDriver"));
        return noClasses()
                .that(DescribedPredicate.not(storeClass))
                .should(accessTargetWhere(ForbiddenCalls.THAT_WRITE_A_STORE))
                .because(
                        "state is written last, once per transaction, together with its timers. To comply, return a Fact"
                                + " and let the applier write it through a class of topology whose name ends with Store");
    }

    private ArchRule testDriverReplays() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(in("replay"))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(TopologyTestDriver.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka.streams.test..")
                .because(
                        "the driver has no transactions and no broker, so nothing it does is exactly once. To comply, use"
                                + " it in replay or in a test");
    }

    private ArchRule picocliStaysInCli() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(in("cli"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .because("a library user and a test want the work without the command line. To comply, take plain"
                        + " parameters and let the verb in cli parse them");
    }

    private ArchRule openTelemetryStaysInTracing() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(in("ops.tracing"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .because("spans are told of what was decided and take no part in it, and without a collector nothing of"
                        + " them may run. To comply, hand on core's TraceContext, and let ops.tracing see the facts");
    }

    private ArchRule onlyCliExits() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(in("cli"))
                // A child process whose parent is gone has nobody left to return to.
                .and()
                .doNotHaveFullyQualifiedName(base + ".embedded.ChildMain")
                .should(accessTargetWhere(ForbiddenCalls.THAT_END_THE_PROCESS))
                .because(
                        "the process has one owner, which drains before it exits with a named code. To comply, throw or"
                                + " return a result and let the verb in cli turn it into an exit code");
    }

    private ArchRule generatedClassesStayInSchema() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(in("schema"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(in("schema.avro"))
                .because("a change of schema must not reach further than its codec. To comply, use the type of core and"
                        + " its codec in schema.Codecs");
    }

    private ArchRule connectorBringsItsLibraries() {
        return classes()
                .that()
                .resideInAnyPackage(in("connect"), in("schema"))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(ConnectorLibraries.packages(base))
                .because("these classes run on any Connect worker, with what the worker has and what the plugin archive"
                        + " brings. To comply, do without the library, or add it to src/main/assembly/connect-plugin.xml"
                        + " and to this rule");
    }

    private ArchRule namesSayWhatAClassIs() {
        return noClasses()
                .should()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Impl")
                .because("such a name tells nothing and draws unrelated code. To comply, name the class after the one"
                        + " thing it is in the words of the domain");
    }

    private String in(String name) {
        return base + "." + name + "..";
    }
}
