package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Ask;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.receiver.Alerts;
import io.hellogpt.once.connect.receiver.EffectReceiver;
import io.hellogpt.once.core.Effect;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Carries attempts out over one route, as the dispatcher does, and keeps the alerts. */
public final class Attempts implements AutoCloseable {
    private final Route.Remote route;
    private final EffectReceiver receiver;
    private final List<Alerts.Alert> alerts = new CopyOnWriteArrayList<>();

    public Attempts(Route.Remote route) {
        this.route = route;
        this.receiver = Receivers.open(route, (alert, name, effect, why) -> alerts.add(alert), Clock.systemUTC());
    }

    public Verdict execute(Effect effect) throws InterruptedException {
        return execute(effect, false);
    }

    /** @param inDoubt an earlier send of it may have taken effect */
    public Verdict execute(Effect effect, boolean inDoubt) throws InterruptedException {
        Ask ask = Ask.of(effect, route.recovery());
        return receiver.execute(new Claim.Execute(ask, 1, inDoubt, ask.body()));
    }

    public List<Alerts.Alert> alerts() {
        return alerts;
    }

    @Override
    public void close() {
        receiver.close();
    }
}
