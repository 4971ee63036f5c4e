package io.hellogpt.once.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A headless Chromium with one tab, driven over its DevTools protocol. */
public final class Chromium implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger number = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final String session;

    private Chromium(Process process, String address) {
        this.process = process;
        this.socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(address), new Listening())
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
        String target = call("Target.createTarget", Map.of("url", "about:blank"), Optional.empty())
                .path("targetId")
                .asText();
        this.session = call("Target.attachToTarget", Map.of("targetId", target, "flatten", true), Optional.empty())
                .path("sessionId")
                .asText();
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", Map.of());
        }
    }

    /** Skips the test, and says so, where there is no Chromium. */
    public static void assumeInstalled(String test) {
        boolean there = executable().isPresent();
        if (!there) {
            System.out.println(test + " is skipped: there is no Chromium on this machine (apt install chromium).");
        }
        assumeTrue(there, "no Chromium on this machine");
    }

    private static Optional<Path> executable() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** @param language of its user, such as {@code en-US} */
    public static Chromium start(Path directory, String language) throws IOException {
        Path log = directory.resolve("chromium.log");
        ProcessBuilder command = new ProcessBuilder(
                executable().orElseThrow().toString(),
                "--headless=new",
                // In a container there is often no namespace to put a sandbox in, and it opens our page alone.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-breakpad",
                "--disable-background-networking",
                "--disable-component-update",
                "--lang=" + language,
                "--accept-lang=" + language,
                "--user-data-dir=" + directory.resolve("chromium"),
                "--remote-debugging-port=0",
                "about:blank");
        // It leaves files there when it is killed.
        command.environment().put("TMPDIR", directory.toString());
        Process process =
                command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            String address = Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> address(log), Optional::isPresent)
                    .orElseThrow();
            return new Chromium(process, address);
        } catch (RuntimeException failed) {
            process.destroyForcibly();
            throw failed;
        }
    }

    private static Optional<String> address(Path log) throws IOException {
        Matcher found = LISTENING.matcher(Files.readString(log));
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    private JsonNode call(String method, Map<String, ?> parameters) {
        return call(method, parameters, Optional.of(session));
    }

    private JsonNode call(String method, Map<String, ?> parameters, Optional<String> in) {
        int id = number.incrementAndGet();
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        in.ifPresent(one -> message.put("sessionId", one));
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        socket.sendText(message.toString(), true).join();
        JsonNode told = answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(told.path("error").isMissingNode())
                .as(method + ": " + told.path("error"))
                .isTrue();
        return told.path("result");
    }

    public void open(String url) {
        call("Page.navigate", Map.of("url", url));
    }

    /** @param width of the window, in CSS pixels */
    public void window(int width, int height) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    /** What an expression gives in the page. */
    public JsonNode evaluate(String expression) {
        JsonNode told =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        assertThat(told.path("exceptionDetails").isMissingNode())
                .as(expression + ": " + told.path("exceptionDetails"))
                .isTrue();
        return told.path("result").path("value");
    }

    public String text(String selector) {
        return evaluate("document.querySelector(%s)?.innerText ?? ''".formatted(JSON.<JsonNode>valueToTree(selector)))
                .asText();
    }

    /** Waits until a condition holds in the page. */
    public void until(String condition) {
        Awaitility.await()
                .atMost(PATIENCE)
                .failFast("the browser is gone", () -> !process.isAlive())
                .untilAsserted(
                        () -> assertThat(evaluate("Boolean(" + condition + ")").asBoolean())
                                .as(() -> condition + "\n" + text("body") + "\n" + complaints)
                                .isTrue());
    }

    public void click(String selector) {
        evaluate("document.querySelector(%s).click()".formatted(JSON.<JsonNode>valueToTree(selector)));
    }

    /** Types into what has the focus. */
    public void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    /** Presses a key that types nothing, or Enter. */
    public void press(String key) {
        int code = Map.of("Tab", 9, "Enter", 13).get(key);
        String typed = key.equals("Enter") ? "\r" : "";
        Map<String, Object> event = Map.of("key", key, "code", key, "windowsVirtualKeyCode", code, "text", typed);
        call("Input.dispatchKeyEvent", with(event, typed.isEmpty() ? "rawKeyDown" : "keyDown"));
        call("Input.dispatchKeyEvent", with(event, "keyUp"));
    }

    private static Map<String, Object> with(Map<String, Object> event, String type) {
        Map<String, Object> all = new TreeMap<>(event);
        all.put("type", type);
        return all;
    }

    /** Errors the page or the browser has logged: exceptions, what the Content-Security-Policy has stopped, missing files. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** @return an image as PNG */
    byte[] picture() {
        return Base64.getDecoder()
                .decode(call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true))
                        .path("data")
                        .asText());
    }

    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        socket.abort();
        client.shutdownNow();
        all.forEach(ProcessHandle::destroyForcibly);
        // Its directory is removed next, and must not be written to by then.
        all.forEach(one ->
                one.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join());
    }

    private void hear(JsonNode message) {
        if (message.has("id")) {
            Optional.ofNullable(asked.remove(message.path("id").asInt())).ifPresent(one -> one.complete(message));
            return;
        }
        JsonNode told = message.path("params");
        switch (message.path("method").asText()) {
            case "Runtime.exceptionThrown" ->
                complaints.add(told.path("exceptionDetails").toString());
            case "Log.entryAdded" -> {
                if (told.path("entry").path("level").asText().equals("error")) {
                    complaints.add(told.path("entry").path("text").asText() + " "
                            + told.path("entry").path("url").asText());
                }
            }
            default -> {
                // Everything else is of no interest.
            }
        }
    }

    private final class Listening implements WebSocket.Listener {
        private final StringBuilder kept = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            kept.append(part);
            if (last) {
                try {
                    hear(JSON.readTree(kept.toString()));
                } catch (IOException broken) {
                    complaints.add(broken.toString());
                }
                kept.setLength(0);
            }
            from.request(1);
            return null;
        }
    }
}
