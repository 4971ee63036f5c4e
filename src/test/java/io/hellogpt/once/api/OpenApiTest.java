package io.hellogpt.once.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Holds openapi.yaml to the routes there are. */
class OpenApiTest {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete", "head", "options");

    private static JsonNode page;

    @BeforeAll
    static void read() throws IOException {
        try (Reader yaml = Files.newBufferedReader(Path.of("src/main/resources/openapi.yaml"))) {
            page = new ObjectMapper().valueToTree(new Yaml().<Object>load(yaml));
        }
    }

    @Test
    void itIsOpenApi31() {
        assertThat(page.path("openapi").asText()).startsWith("3.1.");
    }

    @Test
    void itDescribesEveryRouteAndNoOther() {
        Set<String> routes = Arrays.stream(Endpoint.values())
                .map(each -> each.method() + " " + each.path())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(operations().map(Operation::name)).containsExactlyInAnyOrderElementsOf(routes);
    }

    @Test
    void itSaysWhoMayUseEachRoute() {
        for (Endpoint endpoint : Endpoint.values()) {
            JsonNode operation = operations()
                    .filter(each -> each.name().equals(endpoint.method() + " " + endpoint.path()))
                    .findFirst()
                    .orElseThrow()
                    .node();
            boolean open =
                    operation.has("security") && operation.path("security").isEmpty();

            assertThat(open).as(endpoint.path()).isEqualTo(endpoint.role().isEmpty());
            endpoint.role()
                    .ifPresent(role ->
                            assertThat(operation.path("summary").asText()).contains("Needs the role " + role.word()));
        }
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        List<String> references = page.findValuesAsText("$ref");

        assertThat(references)
                .isNotEmpty()
                .allSatisfy(
                        reference -> assertThat(page.at(reference.substring(1)).isMissingNode())
                                .as(reference)
                                .isFalse());
    }

    @Test
    void everyParameterOfAPathIsDeclared() {
        page.path("paths").properties().forEach(path -> {
            Set<String> named = new TreeSet<>();
            path.getValue()
                    .path("parameters")
                    .forEach(parameter ->
                            named.add(resolved(parameter).path("name").asText()));
            Stream.of(path.getKey().split("/"))
                    .filter(part -> part.startsWith("{"))
                    .forEach(part -> assertThat(named).contains(part.substring(1, part.length() - 1)));
        });
    }

    private static JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? page.at(node.path("$ref").asText().substring(1)) : node;
    }

    private record Operation(String name, JsonNode node) {}

    private static Stream<Operation> operations() {
        return page.path("paths").properties().stream()
                .flatMap(path -> path.getValue().properties().stream()
                        .filter(each -> METHODS.contains(each.getKey()))
                        .map(each -> new Operation(
                                each.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(), each.getValue())));
    }
}
