package io.hellogpt.once.connect.mail;

import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.net.RefusedAddressException;
import io.hellogpt.once.connect.receiver.Alerts;
import io.hellogpt.once.connect.receiver.Alerts.Alert;
import io.hellogpt.once.connect.receiver.EffectReceiver;
import io.hellogpt.once.connect.receiver.Verdicts;
import io.hellogpt.once.core.EffectId;
import jakarta.mail.MessagingException;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mailboxes behind an SMTP server. Until the end of a mail's text has left, it was certainly not sent; a reply to the text decides;
 * without that reply the mail is in doubt, which leaves it UNKNOWN unless the route is set to at-least-once. When time is up the
 * connection is cut before that is judged, so that nothing leaves after the verdict.
 *
 * <p>The mail library locks while it waits for the network, so it gets platform threads: on virtual ones of older JDKs it would
 * keep the threads of all other routes from running.
 */
public final class MailReceiver implements EffectReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(MailReceiver.class);
    private static final int PERMANENT = 500;
    /** How long a call may take to notice that its line was cut. */
    private static final long END_MILLIS = 1_000;

    private final Route.Mail route;
    private final Smtp smtp;
    private final Letters letters;
    private final ExecutorService threads;
    private final Alerts alerts;
    private final Clock clock;

    private MailReceiver(Route.Mail route, Alerts alerts, Clock clock) {
        this.route = route;
        this.smtp = new Smtp(route);
        this.letters = new Letters(route.letter(), smtp.letterSession());
        this.threads = Executors.newCachedThreadPool(threads(route.name()));
        this.alerts = alerts;
        this.clock = clock;
    }

    /** @throws org.apache.kafka.common.config.ConfigException when a store for TLS cannot be used */
    public static MailReceiver create(Route.Mail route, Alerts alerts, Clock clock) {
        return new MailReceiver(route, alerts, clock);
    }

    /** The mail library looks for its parts through the thread's class loader, which must be the plugin's. */
    private static ThreadFactory threads(String route) {
        ThreadFactory daemons =
                Thread.ofPlatform().daemon().name("once-mail-" + route + "-", 0).factory();
        return work -> {
            Thread thread = daemons.newThread(work);
            thread.setContextClassLoader(MailReceiver.class.getClassLoader());
            return thread;
        };
    }

    @Override
    public Verdict execute(Claim.Execute claim) throws InterruptedException {
        EffectId id = claim.ask().effect().id();
        Verdicts verdicts = new Verdicts(route.recovery(), claim.inDoubt());
        Line line = new Line();
        Future<Verdict> call = threads.submit(() -> send(id, claim.body(), line, verdicts));
        try {
            return verdict(call, line, verdicts);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the mail of effect " + id + " broke the receiver", e.getCause());
        } finally {
            line.cut();
            call.cancel(true);
        }
    }

    private Verdict verdict(Future<Verdict> call, Line line, Verdicts verdicts)
            throws InterruptedException, ExecutionException {
        try {
            return call.get(route.limits().timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            line.cut();
        }
        try {
            return call.get(END_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // It waits for something else than the server, such as a name. The line is cut, so nothing leaves.
            return broken("", line, verdicts);
        }
    }

    private Verdict send(EffectId id, byte[] body, Line line, Verdicts verdicts) {
        Letters.Sheet sheet;
        try {
            sheet = letters.of(id, body, clock.instant());
        } catch (UnsendableException e) {
            return verdicts.refused(e.getMessage());
        }
        line.carry(sheet);
        SMTPTransport transport;
        try {
            transport = smtp.open(line);
        } catch (RefusedAddressException e) {
            alerts.raise(Alert.ADDRESS_REFUSED, route.name(), id, e.getMessage());
            return verdicts.notSent(e.getMessage());
        } catch (IOException | MessagingException e) {
            return broken("no session with the mail server (" + e.getClass().getSimpleName() + ")", line, verdicts);
        }
        Verdict verdict = delivered(transport, sheet, line, verdicts);
        leave(transport);
        return verdict;
    }

    /** The verdict is in; what goes wrong in taking leave of the server changes nothing any more. */
    private static void leave(SMTPTransport transport) {
        try {
            transport.close();
        } catch (MessagingException e) {
            LOG.debug("the mail server did not take its leave", e);
        }
    }

    private Verdict delivered(SMTPTransport transport, Letters.Sheet sheet, Line line, Verdicts verdicts) {
        try {
            transport.sendMessage(sheet, sheet.getAllRecipients());
            return verdicts.succeeded(
                    "mail server answered " + transport.getLastReturnCode(), Optional.of(sheet.getMessageID()));
        } catch (MessagingException e) {
            Optional<Integer> reply = reply(e);
            if (reply.isPresent()) {
                String said = "mail server answered " + reply.get();
                return reply.get() >= PERMANENT ? verdicts.refused(said) : verdicts.busy(said, Optional.empty());
            }
            return broken("connection to the mail server broke (" + e.getClass().getSimpleName() + ")", line, verdicts);
        }
    }

    /** @param how unless time was up */
    private Verdict broken(String how, Line line, Verdicts verdicts) {
        String what = line.isCut()
                ? "the mail server did not finish within "
                        + route.limits().timeout().toMillis() + " ms"
                : how;
        return line.mayHaveSent() ? verdicts.inDoubt(what, Optional.empty()) : verdicts.notSent(what);
    }

    /** The server's refusal; a permanent one among several counts, since it comes again. */
    private static Optional<Integer> reply(MessagingException e) {
        Optional<Integer> worst = Optional.empty();
        for (Exception cause = e; cause instanceof MessagingException failed; cause = failed.getNextException()) {
            int code = switch (failed) {
                case SMTPSendFailedException send -> send.getReturnCode();
                case SMTPAddressFailedException address -> address.getReturnCode();
                case SMTPSenderFailedException sender -> sender.getReturnCode();
                default -> -1;
            };
            if (code >= 400 && worst.filter(known -> known >= code).isEmpty()) {
                worst = Optional.of(code);
            }
        }
        return worst;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
