package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.http.HttpReceiver;
import io.hellogpt.once.connect.mail.MailReceiver;
import io.hellogpt.once.connect.receiver.Alerts;
import io.hellogpt.once.connect.receiver.EffectReceiver;
import io.hellogpt.once.connect.receiver.GatedReceiver;
import java.time.Clock;

/** Puts receivers together from their parts. */
public final class Receivers {
    private Receivers() {}

    /**
     * What carries the effects of {@code route} out.
     *
     * @throws org.apache.kafka.common.config.ConfigException naming a setting that cannot be used on this worker
     */
    public static EffectReceiver open(Route.Remote route, Alerts alerts, Clock clock) {
        EffectReceiver protocol = switch (route) {
            case Route.Http http -> HttpReceiver.create(http, alerts, clock);
            case Route.Mail mail -> MailReceiver.create(mail, alerts, clock);
        };
        return new GatedReceiver(route, protocol);
    }
}
