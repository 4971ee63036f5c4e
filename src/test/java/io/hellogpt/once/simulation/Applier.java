package io.hellogpt.once.simulation;

import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Carries facts out, as the applier of {@code topology} does: stores and outputs first, calls last. */
final class Applier {
    private final World world;
    private final Protocol protocol;
    private final Stores stores;
    private final Jvm jvm;

    Applier(World world, Jvm jvm) {
        this.world = world;
        this.protocol = world.protocol();
        this.stores = world.stores();
        this.jvm = jvm;
    }

    void apply(List<Fact> decided) {
        List<Fact> facts = protocol.applied(decided);
        for (Fact fact : facts) {
            write(fact);
        }
        for (Fact fact : facts) {
            if (fact instanceof Fact.StartCall(var call)) {
                world.calls().start(jvm, call, world.moment(jvm).now());
            } else if (fact instanceof Fact.CancelCall(RequestId id)) {
                world.calls().cancel(jvm, id);
            }
        }
    }

    private void write(Fact fact) {
        switch (fact) {
            case Fact.Save(var previous, var next) -> save(previous, next);
            case Fact.Forget(var state) -> {
                stores.deleteRequest(state.id());
                state.timers().forEach(stores::delete);
                world.produced(fact);
            }
            case Fact.RecordSnapshot(var snapshot) -> {
                stores.put(snapshot);
                world.produced(fact);
            }
            case Fact.Stash(var response) -> {
                stores.early(response.id()).ifPresent(known -> replaced(known, response));
                stores.put(response);
                stores.put(stashTimer(response));
            }
            case Fact.Unstash(var response) -> {
                stores.deleteEarly(response.id());
                stores.delete(stashTimer(response));
            }
            case Fact.IssueEffect issue -> world.produced(issue);
            case Fact.Commit commit -> world.produced(commit);
            case Fact.Fail fail -> world.produced(fail);
            case Fact.AnswerDuplicate duplicate -> world.produced(duplicate);
            case Fact.Reject reject -> world.produced(reject);
            case Fact.Log log -> world.produced(log);
            case Fact.StartCall start -> {}
            case Fact.CancelCall cancel -> {}
            case Fact.Ignore ignore -> {}
        }
    }

    private void save(Optional<RequestState> previous, RequestState next) {
        Set<Timer> before = previous.map(RequestState::timers).orElseGet(Set::of);
        Set<Timer> after = next.timers();
        if (protocol.deletesTimers()) {
            before.stream().filter(timer -> !after.contains(timer)).forEach(stores::delete);
        }
        if (protocol.writesTimers()) {
            after.stream().filter(timer -> !before.contains(timer)).forEach(stores::put);
        }
        stores.put(next);
    }

    private void replaced(EarlyResponse known, EarlyResponse response) {
        stores.delete(stashTimer(known));
        if (!known.life().equals(response.life())) {
            world.invariants().stashDropped(known);
        }
    }

    private static Timer stashTimer(EarlyResponse response) {
        return new Timer(Timer.Kind.STASH, response.expiresAt(), 0, response.id());
    }
}
