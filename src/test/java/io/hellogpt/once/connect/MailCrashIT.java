package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Ask;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.EffectLedger;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.receiver.Alerts;
import io.hellogpt.once.connect.receiver.EffectReceiver;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A task that dies between the mail server's answer and the ledger, on a real mail server and a real database. */
class MailCrashIT {
    private static final Effect EFFECT = Effects.of("r-1", 1, "r", 1);

    private GreenMail server;
    private PipelineRig rig;

    @BeforeEach
    void open() throws IOException {
        server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        server.start();
        rig = new PipelineRig();
    }

    @AfterEach
    void close() {
        rig.close();
        server.stop();
    }

    @Test
    void theMailIsUnknownAndNotSentAgain() throws Exception {
        Route.Remote route = route("at-most-once");
        dieAfterTheServersAnswer(route);

        takeOver(route);

        assertThat(outcome().result()).isEqualTo(Result.UNKNOWN);
        assertThat(server.getReceivedMessages()).hasSize(1);
    }

    @Test
    void onARouteThatAsksForItTheSameMailIsSentAgain() throws Exception {
        Route.Remote route = route("at-least-once");
        dieAfterTheServersAnswer(route);

        takeOver(route);

        assertThat(outcome().result()).isEqualTo(Result.SUCCEEDED);
        MimeMessage[] mails = server.getReceivedMessages();
        assertThat(mails).hasSize(2);
        assertThat(mails[0].getMessageID()).isEqualTo(mails[1].getMessageID());
    }

    /** Claims and sends as a task does; then its process is gone, and its lease runs out. */
    private void dieAfterTheServersAnswer(Route.Remote route) throws Exception {
        EffectLedger ledger = ledger();
        try (EffectReceiver receiver = Receivers.open(route, Alerts.toLog(), Clock.systemUTC())) {
            ledger.migrate();
            Claim claim =
                    ledger.claim(List.of(Ask.of(EFFECT, route.recovery()))).getFirst();
            Verdict nobodyKnows = receiver.execute((Claim.Execute) claim);
            assertThat(nobodyKnows.result()).isEqualTo(Result.SUCCEEDED);
        } finally {
            ledger.close();
        }
        Databases.execute(rig.url, "UPDATE once_ledger.effect SET lease_until = now() - interval '1 second'");
    }

    private void takeOver(Route.Remote route) {
        rig.start(Map.of("r", route)).process(List.of(rig.delivery(EFFECT)));
    }

    private EffectLedger ledger() {
        return new EffectLedger(
                Databases.settings(rig.url), UUID.randomUUID().toString(), Duration.ofMinutes(1), Clock.systemUTC());
    }

    private EffectOutcome outcome() {
        assertThat(rig.outcomes()).hasSize(1);
        return rig.outcomes().getFirst();
    }

    private Route.Remote route(String resend) {
        return Routes.of(
                "class", "OPAQUE",
                "type", "mail",
                "resend", resend,
                "mail.host", "localhost",
                "mail.port", Integer.toString(server.getSmtp().getPort()),
                "mail.security", "none",
                "mail.from", "once@shop.example",
                "mail.to", "desk@shop.example");
    }
}
