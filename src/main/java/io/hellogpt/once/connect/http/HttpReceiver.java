package io.hellogpt.once.connect.http;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Responses.Meaning;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.net.RefusedAddressException;
import io.hellogpt.once.connect.receiver.Alerts;
import io.hellogpt.once.connect.receiver.Alerts.Alert;
import io.hellogpt.once.connect.receiver.EffectReceiver;
import io.hellogpt.once.connect.receiver.Verdicts;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;

/**
 * One receiver behind HTTP. Sends a claimed attempt once; a second time only when the receiver refused a token with a status the
 * route names for that, which says that it did nothing. All of it within one timeout, since the ledger's lease is reckoned by it.
 */
public final class HttpReceiver implements EffectReceiver {
    private static final Duration CLOSED_WAIT = Duration.ofMinutes(1);

    private final Route.Http route;
    private final Wire wire;
    private final Requests requests;
    private final Authorization authorization;
    private final Alerts alerts;
    private final Clock clock;
    private final AtomicReference<Instant> closed = new AtomicReference<>();

    private HttpReceiver(Route.Http route, Wire wire, Alerts alerts, Clock clock) {
        this.route = route;
        this.wire = wire;
        this.requests = new Requests(route, clock);
        this.authorization = Authorization.of(route.access().credentials(), wire, clock);
        this.alerts = alerts;
        this.clock = clock;
    }

    /**
     * A receiver with a client of its own.
     *
     * @throws org.apache.kafka.common.config.ConfigException when a store for TLS cannot be used
     */
    public static HttpReceiver create(Route.Http route, Alerts alerts, Clock clock) {
        return new HttpReceiver(route, Wire.open(route), alerts, clock);
    }

    @Override
    public Verdict execute(Claim.Execute claim) throws InterruptedException {
        boolean again = claim.ask().effect().attempt() > 1;
        Verdicts verdicts = new Verdicts(route.recovery(), claim.inDoubt(), again);
        Instant since = closed.get();
        if (since != null) {
            return verdicts.busy(
                    "the receiver said at " + since
                            + " that it is gone for good, so its route is closed and nothing was sent;"
                            + " restart the task when it is back",
                    Optional.of(CLOSED_WAIT));
        }
        if (claim.inDoubt() && route.recovery() instanceof Recovery.Probeable probeable) {
            Optional<Verdict> known = probe(claim, probeable, verdicts);
            if (known.isPresent()) {
                return known.get();
            }
            verdicts = new Verdicts(route.recovery(), false, again);
            if (claim.ask().probe()) {
                return verdicts.busy("probe did not find it: certainly not carried out", Optional.empty());
            }
        }
        return send(claim.ask().effect(), claim.body(), verdicts);
    }

    private Verdict send(Effect effect, byte[] body, Verdicts verdicts) throws InterruptedException {
        EffectId id = effect.id();
        try {
            Answer answer = authorised(with -> requests.effect(effect, body, with));
            Classification classification = new Classification(route.contract(), verdicts);
            Verdict verdict =
                    classification.response(answer.status(), answer.reference(), answer.retryAfter(clock.instant()));
            tell(id, answer.status(), classification, verdict);
            return verdict;
        } catch (IllegalArgumentException unsendable) {
            return verdicts.refused(unsendable.getMessage());
        } catch (TokenUnavailableException e) {
            return verdicts.notSent(e.getMessage());
        } catch (TimeoutException e) {
            return verdicts.inDoubt(
                    "no complete answer within " + route.limits().timeout().toMillis() + " ms", Optional.empty());
        } catch (IOException e) {
            return broken(id, e, verdicts);
        }
    }

    private Verdict broken(EffectId id, IOException e, Verdicts verdicts) {
        if (e instanceof RefusedAddressException) {
            alerts.raise(Alert.ADDRESS_REFUSED, route.name(), id, e.getMessage());
            return verdicts.notSent(e.getMessage());
        }
        String name = e.getClass().getSimpleName();
        if (e instanceof KeptConnectionException) {
            return verdicts.inDoubt("a connection kept from before broke", Optional.empty())
                    .sayingNothingOfTheReceiver();
        }
        return Wire.certainlyNotSent(e)
                ? verdicts.notSent("could not connect (" + name + ")")
                : verdicts.inDoubt("connection broke (" + name + ")", Optional.empty());
    }

    private void tell(EffectId id, int status, Classification classification, Verdict verdict) {
        if (classification.alarms(status)) {
            alerts.raise(Alert.KEY_REUSED, route.name(), id, verdict.detail());
        }
        if (route.contract().responses().meaning(status) == Meaning.GONE
                && closed.compareAndSet(null, clock.instant())) {
            alerts.raise(
                    Alert.ROUTE_CLOSED, route.name(), id, "HTTP " + status + "; nothing more is sent by this task");
        }
    }

    /** Empty when the receiver has definitely not got it. */
    private Optional<Verdict> probe(Claim.Execute claim, Recovery.Probeable probeable, Verdicts verdicts)
            throws InterruptedException {
        String found;
        try {
            Answer answer = authorised(with -> requests.probe(claim.ask().effect(), probeable, with));
            if (answer.status() >= 200 && answer.status() < 300) {
                return Optional.of(new Classification(route.contract(), verdicts)
                        .found(claim.ask().probe(), claim.ask().effect().attempt() > 2, answer.reference()));
            }
            if (answer.status() == 404) {
                return Optional.empty();
            }
            found = "probe answered HTTP " + answer.status();
        } catch (IllegalArgumentException unsendable) {
            found = "probe cannot be sent: " + unsendable.getMessage();
        } catch (TokenUnavailableException e) {
            found = "no probe: " + e.getMessage();
        } catch (TimeoutException e) {
            found = "probe was not answered in time";
        } catch (IOException e) {
            found = "probe failed (" + e.getClass().getSimpleName() + ")";
        }
        return Optional.of(verdicts.inDoubt(found + ", nothing was sent", Optional.empty()));
    }

    private Answer authorised(Function<Optional<String>, HttpUriRequestBase> request)
            throws TokenUnavailableException, IOException, TimeoutException, InterruptedException {
        Deadline deadline = Deadline.in(route.limits().timeout());
        Optional<String> first = authorization.value(deadline);
        Answer answer = wire.exchange(request.apply(first), deadline);
        if (!authorization.renewAfter(answer.status(), first)) {
            return answer;
        }
        return wire.exchange(request.apply(authorization.value(deadline)), deadline);
    }

    @Override
    public void close() {
        wire.close();
    }
}
