package io.hellogpt.once.connect.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.connect.Attempts;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.connect.Routes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signatures as the reference implementation of Standard Webhooks for JavaScript sees them. */
class WebhookSignatureTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PACKAGE = "standardwebhooks@1.1.1";
    private static final Path DIR = Path.of("target", "standardwebhooks");
    private static final String OLD = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String NEW = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD2FVsBQIhrsc=";
    private static final String VERIFY = """
            const { Webhook } = require("standardwebhooks");
            let text = "";
            process.stdin.on("data", chunk => text += chunk);
            process.stdin.on("end", () => {
              const { secret, body, headers } = JSON.parse(text);
              try { new Webhook(secret).verify(body, headers); console.log("verified"); }
              catch (e) { console.log("refused: " + e.message); }
            });
            """;

    @BeforeAll
    static void install() throws Exception {
        Files.createDirectories(DIR);
        if (!Files.isDirectory(DIR.resolve("node_modules").resolve("standardwebhooks"))) {
            try {
                run("", "npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", ".", PACKAGE);
            } catch (IOException | IllegalStateException e) {
                String why = "the npm package " + PACKAGE + " cannot be had here, so no signature is verified: "
                        + e.getMessage();
                if (Boolean.parseBoolean(System.getenv("CI"))) {
                    throw new IllegalStateException(why, e);
                }
                System.out.println("SKIPPED WebhookSignatureTest: " + why);
                abort(why);
            }
        }
        Files.writeString(DIR.resolve("verify.js"), VERIFY);
    }

    @Test
    void anyOfTheSecretsVerifiesARequest() throws Exception {
        Receiver.Call call = calls(OLD + ", " + NEW, 1).getFirst();

        assertThat(verify(OLD, call.body(), call)).isEqualTo("verified");
        assertThat(verify(NEW, call.body(), call)).isEqualTo("verified");
        assertThat(verify("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", call.body(), call))
                .startsWith("refused");
        assertThat(verify(OLD, call.body() + " ", call)).startsWith("refused");
    }

    @Test
    void theIdIsTheSameForEveryAttemptAndHoldsNoFullStop() throws Exception {
        List<Receiver.Call> calls = calls(OLD, 2);

        assertThat(calls).extracting(call -> call.header("webhook-id")).containsExactly("r-1%3A0%2E1", "r-1%3A0%2E1");
        for (Receiver.Call call : calls) {
            assertThat(verify(OLD, call.body(), call)).isEqualTo("verified");
        }
    }

    private static List<Receiver.Call> calls(String secrets, int attempts) throws Exception {
        try (Receiver receiver = new Receiver();
                Attempts route = new Attempts(Routes.of(
                        "class",
                        "KEYED",
                        "key.window.ms",
                        "3600000",
                        "url",
                        receiver.url(),
                        "signing.secrets",
                        secrets))) {
            for (int attempt = 1; attempt <= attempts; attempt++) {
                route.execute(Effects.of("r-1", 1, "r", attempt));
            }
            return List.copyOf(receiver.calls());
        }
    }

    private static String verify(String secret, String body, Receiver.Call call) throws Exception {
        ObjectNode question = JSON.createObjectNode().put("secret", secret).put("body", body);
        ObjectNode headers = question.putObject("headers");
        Stream.of("webhook-id", "webhook-timestamp", "webhook-signature")
                .forEach(name -> headers.put(name, call.header(name)));
        return run(question.toString(), "node", "verify.js").strip();
    }

    private static String run(String input, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(DIR.toFile())
                .redirectErrorStream(true)
                .start();
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + said);
        }
        return said;
    }
}
