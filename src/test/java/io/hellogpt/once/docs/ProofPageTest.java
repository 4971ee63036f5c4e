package io.hellogpt.once.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds topology-docs/proof.md to the tests there are: a guarantee without a test is a wish. */
class ProofPageTest {
    private static final int ROWS = 21;
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\|.*\\|([^|]+)\\|$");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");

    @Test
    void everyFaultOfTheTableNamesItsTestOrWhoHasIt() throws IOException {
        Map<Integer, String> tests = new TreeMap<>();
        Matcher rows = ROW.matcher(page());
        while (rows.find()) {
            tests.put(Integer.valueOf(rows.group(1)), rows.group(2));
        }
        assertThat(tests.keySet())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, ROWS).boxed().toList());
        assertThat(tests).allSatisfy((row, cell) -> assertThat(cell).containsPattern("`\\w+#\\w+`|connector"));
    }

    static List<String> named() throws IOException {
        return NAMED.matcher(page())
                .results()
                .map(found -> found.group(1) + "#" + found.group(2))
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("named")
    void everyTestThatIsNamedExists(String test) throws Exception {
        assertThat(isTest(test)).as(test).isTrue();
    }

    @Test
    void aTestThatDoesNotExistIsNoticed() throws Exception {
        assertThat(isTest("ProofPageTest#aTestThatDoesNotExistIsNoticed")).isTrue();
        assertThat(isTest("ProofPageTest#aTestNobodyWrote")).isFalse();
        assertThat(isTest("ProofPageTest#page")).as("a method that is no test").isFalse();
        assertThatThrownBy(() -> isTest("NoSuchTest#any")).hasMessageContaining("NoSuchTest");
    }

    private static boolean isTest(String test) throws Exception {
        String[] parts = test.split("#");
        return Stream.<Class<?>>iterate(classNamed(parts[0]), type -> type != Object.class, Class::getSuperclass)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.getName().equals(parts[1]))
                .anyMatch(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(ParameterizedTest.class));
    }

    private static Class<?> classNamed(String simpleName)
            throws IOException, URISyntaxException, ClassNotFoundException {
        Path classes = Path.of(ProofPageTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            Path file = files.filter(each -> each.getFileName().toString().equals(simpleName + ".class"))
                    .findFirst()
                    .orElseThrow(() -> new ClassNotFoundException("there is no test class " + simpleName));
            String name = IntStream.range(0, classes.relativize(file).getNameCount())
                    .mapToObj(i -> classes.relativize(file).getName(i).toString())
                    .collect(Collectors.joining("."));
            return Class.forName(
                    name.substring(0, name.length() - ".class".length()), false, ProofPageTest.class.getClassLoader());
        }
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("topology-docs/proof.md"));
    }
}
