package io.hellogpt.once.connect.mail;

import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.config.Route.MailSecurity;
import io.hellogpt.once.connect.net.AddressGuard;
import io.hellogpt.once.connect.net.Tls;
import jakarta.mail.Authenticator;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/** The way to a route's mail server: one connection per mail, to an address that was checked. Safe for several threads. */
final class Smtp {
    private final Route.MailServer server;
    private final Route.Limits limits;
    private final AddressGuard guard;
    private final SSLContext tls;
    private final Session session;

    Smtp(Route.Mail route) {
        this.server = route.server();
        this.limits = route.limits();
        this.guard = new AddressGuard(server.network().privateAddresses());
        this.tls = Tls.context(server.network());
        this.session = session();
    }

    Session letterSession() {
        return session;
    }

    /**
     * A transport ready for a mail: connected, secured and logged in.
     *
     * @param line cuts it, at any time
     * @throws IOException when there is no connection; nothing was sent
     * @throws MessagingException when the server does not let us in; nothing was sent
     */
    SMTPTransport open(Line line) throws IOException, MessagingException {
        Socket socket = connected(line);
        try {
            Socket secured = server.security() == MailSecurity.TLS ? secured(socket) : socket;
            SMTPTransport transport =
                    new SMTPTransport(session, new URLName("smtp", server.host(), server.port(), null, null, null));
            transport.connect(secured);
            return transport;
        } catch (IOException | MessagingException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** The first address that answers. */
    private Socket connected(Line line) throws IOException {
        IOException failed = null;
        for (InetAddress address : guard.resolve(server.host())) {
            Socket socket = new Socket();
            line.over(socket);
            try {
                socket.connect(
                        new InetSocketAddress(address, server.port()),
                        millis(limits.connectTimeout().toMillis()));
                socket.setSoTimeout(millis(limits.timeout().toMillis()));
                return socket;
            } catch (IOException e) {
                socket.close();
                failed = e;
            }
        }
        throw failed == null ? new IOException("no address") : failed;
    }

    private SSLSocket secured(Socket socket) throws IOException {
        SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(socket, server.host(), server.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private Session session() {
        String timeout = Integer.toString(millis(limits.timeout().toMillis()));
        Properties set = new Properties();
        set.setProperty("mail.smtp.timeout", timeout);
        set.setProperty("mail.smtp.writetimeout", timeout);
        set.setProperty("mail.smtp.quitwait", "false");
        // All recipients or none: a mail half accepted could be neither repeated nor left.
        set.setProperty("mail.smtp.sendpartial", "false");
        set.setProperty("mail.smtp.auth", Boolean.toString(server.login().isPresent()));
        set.setProperty("mail.smtp.starttls.enable", Boolean.toString(server.security() == MailSecurity.STARTTLS));
        set.setProperty("mail.smtp.starttls.required", Boolean.toString(server.security() == MailSecurity.STARTTLS));
        set.setProperty("mail.smtp.ssl.checkserveridentity", "true");
        set.put("mail.smtp.ssl.socketFactory", tls.getSocketFactory());
        return Session.getInstance(set, authenticator());
    }

    private Authenticator authenticator() {
        return new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return server.login()
                        .map(login -> new PasswordAuthentication(login.user(), login.password()))
                        .orElse(null);
            }
        };
    }

    private static int millis(long millis) {
        return Math.toIntExact(Math.max(1, millis));
    }
}
