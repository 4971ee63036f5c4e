package io.hellogpt.once.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.Rejection.Reason;
import io.hellogpt.once.core.RequestIdFormat;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestDecoderTest {
    private static final int MAX_BYTES = 100_000;
    private static final String START = "{\"request_id\":\"a-1\",\"model\":\"m\",";
    private static final String GOOD = START + "\"input\":\"hi\"}";
    private static final Schema CURRENT = io.hellogpt.once.schema.avro.ModelRequest.getClassSchema();

    private final RequestDecoder decoder = new RequestDecoder(RequestIdFormat.DEFAULT, MAX_BYTES, Optional.empty());

    @ParameterizedTest
    @MethodSource("requests")
    void aRequestIsReadAlikeFromBothEncodings(ModelRequest request) {
        Decoded.Request expected = new Decoded.Request(request, CanonicalForm.fingerprint(request));

        assertThat(decoder.decode(RequestEncoder.avro(request))).isEqualTo(expected);
        assertThat(decoder.decode(RequestEncoder.json(request))).isEqualTo(expected);
    }

    static Stream<ModelRequest> requests() {
        return Stream.of(
                Examples.request(),
                Examples.bareRequest(),
                Examples.withMessages("[{\"content\":\"1\\n\\u0001\uD83D\uDE00\",\"role\":\"user\"}]"),
                Examples.withMessages("[{\"content\":[{\"text\":\"x\",\"type\":\"text\"}],\"role\":\"user\"}]"));
    }

    @Test
    void whatIsOmittedHasItsDefault() {
        ModelRequest request = request(GOOD);

        assertThat(request.messages()).isEqualTo("[{\"content\":\"hi\",\"role\":\"user\"}]");
        assertThat(request.parameters()).isEqualTo("{}");
        assertThat(request.policy()).isEqualTo("commit-only");
        assertThat(request.effects()).isEmpty();
        assertThat(request.createdAt()).isEmpty();
        assertThat(request.metadata()).isEmpty();
    }

    @Test
    void whiteSpaceMayComeFirst() {
        assertThat(request(" \t\r\n" + GOOD).id().value()).isEqualTo("a-1");
    }

    @Test
    void jsonTextsAreKeptInCanonicalForm() {
        ModelRequest request = request(
                START
                        + "\"messages\":[ {\"role\":\"user\", \"content\":\"hi\"} ],\"parameters\":{\"b\":1.50,\"a\":[1.0,10e2]}}");

        assertThat(request.messages()).isEqualTo("[{\"content\":\"hi\",\"role\":\"user\"}]");
        assertThat(request.parameters()).isEqualTo("{\"a\":[1,1000],\"b\":1.5}");
    }

    @ParameterizedTest
    @MethodSource
    void malformedBytesAreSaidToBeSo(String name, byte[] value) {
        Rejection rejection = rejection(value);

        assertThat(rejection.reason()).isEqualTo(Reason.MALFORMED);
        assertThat(rejection.detail()).isNotBlank();
    }

    static Stream<Arguments> malformedBytesAreSaidToBeSo() {
        byte[] avro = RequestEncoder.avro(Examples.request());
        byte[] unknown = avro.clone();
        unknown[5] ^= 1;
        return Stream.of(
                Arguments.of("nothing", null),
                Arguments.of("no bytes", new byte[0]),
                Arguments.of("white space", utf8("   ")),
                Arguments.of("a number", utf8("1")),
                Arguments.of("an array", utf8("[]")),
                Arguments.of("text", utf8("hello")),
                Arguments.of("half an object", utf8("{\"request_id\":\"a")),
                Arguments.of("trailing text", utf8(GOOD + " x")),
                Arguments.of("a second object", utf8(GOOD + GOOD)),
                Arguments.of("a name twice", utf8(START + "\"input\":\"a\",\"input\":\"b\"}")),
                Arguments.of("a name twice, inside", utf8(START + "\"input\":\"a\",\"parameters\":{\"x\":1,\"x\":2}}")),
                Arguments.of("nested too deep", utf8(START + "\"parameters\":" + "[".repeat(5000) + "}")),
                Arguments.of("a very long number", utf8(START + "\"parameters\":{\"n\":" + "9".repeat(500) + "}}")),
                Arguments.of("an exponent out of range", utf8(START + "\"parameters\":{\"n\":1e99999999999}}")),
                Arguments.of("not a number", utf8(START + "\"parameters\":{\"n\":NaN}}")),
                Arguments.of("half a surrogate pair", utf8(START + "\"input\":\"\\ud800\"}")),
                Arguments.of(
                        "invalid UTF-8", bytes(utf8(START + "\"input\":\""), new byte[] {(byte) 0xFF}, utf8("\"}"))),
                Arguments.of("UTF-16", GOOD.getBytes(StandardCharsets.UTF_16LE)),
                Arguments.of("only the Avro marker", Arrays.copyOf(avro, 2)),
                Arguments.of("an unknown schema", unknown),
                Arguments.of("truncated Avro", Arrays.copyOf(avro, avro.length - 1)),
                Arguments.of("bytes after Avro", Arrays.copyOf(avro, avro.length + 1)),
                Arguments.of("another record type", Codecs.SNAPSHOT.encode(Examples.snapshot())),
                Arguments.of("Avro with messages that are not JSON", RequestEncoder.avro(Examples.withMessages("hi"))),
                Arguments.of("framing without a registry", new byte[] {0, 0, 0, 0, 1, 2}));
    }

    @ParameterizedTest
    @MethodSource
    void anInvalidFieldIsNamed(String field, String rest) {
        Rejection rejection = rejection(utf8(START + rest + "}"));

        assertThat(rejection.reason()).isEqualTo(Reason.INVALID);
        assertThat(rejection.detail()).contains(field);
        assertThat(rejection.id()).map(Object::toString).contains("a-1");
    }

    static Stream<Arguments> anInvalidFieldIsNamed() {
        return Stream.of(
                Arguments.of("temperature", "\"input\":\"x\",\"temperature\":1"),
                Arguments.of("not printable", "\"input\":\"x\",\"a b\\n\":1"),
                Arguments.of("messages and input", "\"policy\":\"p\""),
                Arguments.of("messages and input", "\"input\":\"x\",\"messages\":[]"),
                Arguments.of("messages", "\"messages\":[]"),
                Arguments.of("messages", "\"messages\":\"hi\""),
                Arguments.of("messages[0]", "\"messages\":[1]"),
                Arguments.of("messages[0].role", "\"messages\":[{\"content\":\"x\"}]"),
                Arguments.of(
                        "messages[1].content", "\"messages\":[{\"role\":\"u\",\"content\":\"\"},{\"role\":\"u\"}]"),
                Arguments.of("input", "\"input\":null"),
                Arguments.of("parameters", "\"input\":\"x\",\"parameters\":[]"),
                Arguments.of("policy", "\"input\":\"x\",\"policy\":\"\""),
                Arguments.of("created_at", "\"input\":\"x\",\"created_at\":1700000000"),
                Arguments.of("created_at", "\"input\":\"x\",\"created_at\":\"2026-02-30T00:00:00Z\""),
                Arguments.of("deadline", "\"input\":\"x\",\"deadline\":\"tomorrow\""),
                Arguments.of("metadata", "\"input\":\"x\",\"metadata\":[]"),
                Arguments.of("metadata.k", "\"input\":\"x\",\"metadata\":{\"k\":1}"),
                Arguments.of("effects", "\"input\":\"x\",\"effects\":{}"),
                Arguments.of(
                        "set policy to declared", "\"input\":\"x\",\"effects\":[{\"name\":\"n\",\"route\":\"r\"}]"),
                Arguments.of("effects[0]", "\"input\":\"x\",\"effects\":[1]"),
                Arguments.of("effects[0].name", effect("\"route\":\"r\"")),
                Arguments.of("effects[0].route", effect("\"name\":\"n\"")),
                Arguments.of("effects[0].route", effect("\"name\":\"n\",\"route\":\"https://x\"")),
                Arguments.of("effects[0].url", effect("\"name\":\"n\",\"route\":\"r\",\"url\":\"x\"")),
                Arguments.of("effects[0].stage", effect("\"name\":\"n\",\"route\":\"r\",\"stage\":-1")),
                Arguments.of("effects[0].stage", effect("\"name\":\"n\",\"route\":\"r\",\"stage\":1e999999")),
                Arguments.of("effects[0].pivot", effect("\"name\":\"n\",\"route\":\"r\",\"pivot\":1")),
                Arguments.of("effects[0].payload", effect("\"name\":\"n\",\"route\":\"r\",\"payload\":\"x\"")),
                Arguments.of(
                        "effects[0].pointers", effect("\"name\":\"n\",\"route\":\"r\",\"pointers\":{\"a\":\"/b\"}")),
                Arguments.of(
                        "effects[0].pointers", effect("\"name\":\"n\",\"route\":\"r\",\"pointers\":{\"/a\":\"/~2\"}")),
                Arguments.of(
                        "effects[0].compensation.route",
                        effect("\"name\":\"n\",\"route\":\"r\",\"compensation\":{\"payload\":{}}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\\u0000b", "a/b", "\\u00e9"})
    void anIdThatIsNotAllowedIsNotRepeated(String id) {
        Rejection rejection = rejection(utf8("{\"request_id\":\"" + id + "\",\"model\":\"m\",\"input\":\"x\"}"));

        assertThat(rejection.reason()).isEqualTo(Reason.INVALID);
        assertThat(rejection.detail()).contains("request_id");
        assertThat(rejection.id()).isEmpty();
    }

    @Test
    void aLooseConfiguredPatternStillAllowsNoControlCharacters() {
        RequestDecoder loose = new RequestDecoder(
                new RequestIdFormat(Pattern.compile(".+", Pattern.DOTALL), 128), MAX_BYTES, Optional.empty());

        assertThat(loose.decode(utf8("{\"request_id\":\"a\\nb\",\"model\":\"m\",\"input\":\"x\"}")))
                .isInstanceOf(Decoded.Unreadable.class);
        assertThat(loose.decode(utf8("{\"request_id\":\"a b\",\"model\":\"m\",\"input\":\"x\"}")))
                .isInstanceOf(Decoded.Request.class);
    }

    @Test
    void whatIsTooLargeIsNotRead() {
        assertThat(rejection(new byte[MAX_BYTES + 1]).reason()).isEqualTo(Reason.TOO_LARGE);
    }

    @Test
    void theRulesHoldForAvroToo() {
        io.hellogpt.once.schema.avro.ModelRequest avro = RequestFields.toAvro(Examples.request());
        avro.getEffects().getFirst().setRoute("https://example.org");

        Rejection rejection =
                rejection(new SingleObject<io.hellogpt.once.schema.avro.ModelRequest>(CURRENT).encode(avro));

        assertThat(rejection.reason()).isEqualTo(Reason.INVALID);
        assertThat(rejection.id()).contains(Examples.ID);
    }

    @Test
    void framedValuesAreReadWithTheRegistrysSchema() {
        RequestDecoder framed = withRegistry(id -> id == 7 ? Optional.of(CURRENT) : Optional.empty());

        assertThat(framed.decode(framed(7, Examples.request())))
                .isEqualTo(decoder.decode(RequestEncoder.avro(Examples.request())));
    }

    @Test
    void anIdTheRegistryDoesNotKnowIsARefusal() {
        RequestDecoder framed = withRegistry(id -> Optional.empty());

        assertThat(framed.decode(framed(8, Examples.request())))
                .isInstanceOfSatisfying(
                        Decoded.Unreadable.class,
                        unreadable ->
                                assertThat(unreadable.rejection().detail()).contains("8"));
    }

    @Test
    void aRegistryThatCannotBeAskedIsNoRefusal() {
        RequestDecoder framed = withRegistry(id -> {
            throw new RegistryUnavailableException("down");
        });

        assertThatThrownBy(() -> framed.decode(framed(7, Examples.request())))
                .isInstanceOf(RegistryUnavailableException.class);
    }

    @Test
    void aSchemaThatIsNoRequestIsARefusal() {
        Schema other =
                SchemaBuilder.record("Other").fields().requiredString("x").endRecord();

        assertThat(withRegistry(id -> Optional.of(other)).decode(new byte[] {0, 0, 0, 0, 1, 2, 'a'}))
                .isInstanceOf(Decoded.Unreadable.class);
    }

    @Test
    void aTinyRecordThatDeclaresGigabytesCostsNothing() {
        byte[] header = Arrays.copyOf(RequestEncoder.avro(Examples.request()), SingleObject.HEADER_BYTES);
        byte[] twoGigabytes = {(byte) 0xFE, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F};

        assertThat(rejection(bytes(header, twoGigabytes)).reason()).isEqualTo(Reason.MALFORMED);
    }

    @Test
    void anArrayOfNothingsDoesNotRunForEver() {
        Schema endless = SchemaBuilder.record("ModelRequest")
                .fields()
                .name("nothings")
                .type(Schema.createArray(Schema.create(Schema.Type.NULL)))
                .noDefault()
                .endRecord();
        byte[] manyNothings = {0, 0, 0, 0, 1, -2, -1, -1, -1, -1, -1, -1, -1, 127, 0};

        assertThat(withRegistry(id -> Optional.of(endless)).decode(manyNothings))
                .isInstanceOf(Decoded.Unreadable.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void noBytesMakeItThrow(long seed) {
        Random random = new Random(seed);
        RequestDecoder framed = withRegistry(id -> Optional.of(CURRENT));
        byte[][] starts = {
            {},
            {0, 0, 0, 0, 1},
            {'{'},
            Arrays.copyOf(RequestEncoder.avro(Examples.request()), SingleObject.HEADER_BYTES),
            RequestEncoder.avro(Examples.request()),
            RequestEncoder.json(Examples.request()),
            framed(1, Examples.request())
        };
        for (int i = 0; i < 5_000; i++) {
            byte[] start = starts[random.nextInt(starts.length)];
            byte[] value = start.length > 20 ? damaged(start, random) : bytes(start, noise(random));
            try {
                framed.decode(value);
            } catch (RuntimeException e) {
                throw new AssertionError(
                        "seed %d, round %d: %s"
                                .formatted(seed, i, HexFormat.of().formatHex(value)),
                        e);
            }
        }
    }

    private static byte[] damaged(byte[] whole, Random random) {
        byte[] damaged = Arrays.copyOf(whole, random.nextInt(4) == 0 ? random.nextInt(whole.length) + 1 : whole.length);
        for (int flips = random.nextInt(4); flips >= 0; flips--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
        }
        return damaged;
    }

    private static byte[] noise(Random random) {
        byte[] noise = new byte[random.nextInt(64)];
        random.nextBytes(noise);
        return noise;
    }

    private static RequestDecoder withRegistry(SchemaRegistry registry) {
        return new RequestDecoder(RequestIdFormat.DEFAULT, MAX_BYTES, Optional.of(registry));
    }

    private static byte[] framed(int schemaId, ModelRequest request) {
        byte[] single = RequestEncoder.avro(request);
        byte[] datum = Arrays.copyOfRange(single, SingleObject.HEADER_BYTES, single.length);
        return bytes(ByteBuffer.allocate(5).put((byte) 0).putInt(schemaId).array(), datum);
    }

    private static String effect(String fields) {
        return "\"input\":\"x\",\"policy\":\"p\",\"effects\":[{" + fields + "}]";
    }

    private ModelRequest request(String json) {
        return ((Decoded.Request) decoder.decode(utf8(json))).request();
    }

    private Rejection rejection(byte[] value) {
        return ((Decoded.Unreadable) decoder.decode(value)).rejection();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Stream.of(parts).forEach(out::writeBytes);
        return out.toByteArray();
    }
}
