package io.hellogpt.once.connect.mail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A mail server that says what it is told to, where a real one cannot be made to. */
public final class ScriptedSmtp implements AutoCloseable {
    /** Instead of a reply: close the connection. */
    public static final String BREAK = "break";
    /** Instead of a reply: say nothing. */
    public static final String HANG = "hang";
    /** The reply to the text of a mail, as if it were a command. */
    public static final String TEXT = ".";

    private static final String STARTTLS = "STARTTLS";

    private final ServerSocket server;
    private final Map<String, String> script;
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final Optional<SSLContext> tls;

    /** @param script replies by the command's first word */
    public ScriptedSmtp(Map<String, String> script) throws IOException {
        this(script, Optional.empty());
    }

    /** One that offers STARTTLS (RFC 3207) with what {@code tls} holds; what it is told over TLS is marked with {@code tls}. */
    static ScriptedSmtp withStarttls(SSLContext tls) throws IOException {
        return new ScriptedSmtp(
                Map.of(
                        "EHLO",
                        "250-scripted\r\n250-AUTH PLAIN\r\n250 STARTTLS",
                        STARTTLS,
                        "220 go on",
                        "AUTH",
                        "235 you are in"),
                Optional.of(tls));
    }

    private ScriptedSmtp(Map<String, String> script, Optional<SSLContext> tls) throws IOException {
        this.script = script;
        this.tls = tls;
        this.server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
    }

    public int port() {
        return server.getLocalPort();
    }

    public List<String> commands() {
        return commands;
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                converse(socket);
            } catch (IOException closed) {
                // The next one.
            }
        }
    }

    private void converse(Socket socket) throws IOException {
        say(socket.getOutputStream(), "220 scripted");
        if (converse(socket, "")) {
            SSLSocket secured = (SSLSocket)
                    tls.orElseThrow().getSocketFactory().createSocket(socket, "localhost", server.getLocalPort(), true);
            secured.setUseClientMode(false);
            converse(secured, "tls ");
        }
    }

    /** Returns true when the rest is to be said over TLS. */
    private boolean converse(Socket socket, String mark) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        OutputStream out = socket.getOutputStream();
        boolean text = false;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (text && !line.equals(".")) {
                continue;
            }
            String command = text ? TEXT : line.split("[ :]")[0].toUpperCase();
            commands.add(mark + command);
            String reply = script.getOrDefault(command, command.equals("DATA") ? "354 go on" : "250 fine");
            text = command.equals("DATA") && reply.startsWith("354");
            if (reply.equals(BREAK)) {
                return false;
            }
            if (!reply.equals(HANG)) {
                say(out, reply);
            }
            if (command.equals(STARTTLS) && tls.isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
