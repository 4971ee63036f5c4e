package io.hellogpt.once.connect;

import io.hellogpt.once.connect.ledger.Ask;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.EffectLedger;
import io.hellogpt.once.connect.ledger.EffectLedger.Settled;
import io.hellogpt.once.connect.ledger.Settlement;
import io.hellogpt.once.connect.ledger.Verdict;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what calls have come to, as many as there are with one statement. While the ledger is down it keeps them, and asks
 * nobody to make a call again.
 *
 * <p>{@link #put} is safe for several threads, {@link #step} is for one.
 */
final class Settler {
    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);
    private static final int MOST = 1_000;

    private final Mailbox<Ended> mailbox = new Mailbox<>(MOST);
    private final List<Ended> sent = new ArrayList<>();
    private final List<Ended> unsent = new ArrayList<>();
    private final EffectLedger ledger;
    private final Backlog backlog;
    private final TaskMeters meters;
    private final Clock clock;
    private final BiConsumer<Work, Settlement> publish;

    private record Ended(Work work, Claim.Execute claim, Optional<Verdict> verdict, Instant at) {
        Settlement settlement() {
            return new Settlement(claim.ask(), claim.token(), verdict.orElseThrow(), at);
        }
    }

    /** @param publish what to do with an outcome that is stored */
    Settler(
            EffectLedger ledger,
            Backlog backlog,
            TaskMeters meters,
            Clock clock,
            BiConsumer<Work, Settlement> publish) {
        this.ledger = ledger;
        this.backlog = backlog;
        this.meters = meters;
        this.clock = clock;
        this.publish = publish;
    }

    /** @param verdict empty when the claim was certainly not sent */
    void put(Work work, Claim.Execute claim, Optional<Verdict> verdict) {
        mailbox.put(new Ended(work, claim, verdict, clock.instant().truncatedTo(ChronoUnit.MILLIS)));
    }

    /** Stores what there is, after waiting a moment for it; keeps it when this throws. */
    void step() throws SQLException, InterruptedException {
        if (sent.isEmpty() && unsent.isEmpty()) {
            for (Ended ended : mailbox.takeAll()) {
                (ended.verdict().isPresent() ? sent : unsent).add(ended);
            }
        }
        release();
        settle();
    }

    private void release() throws SQLException {
        if (!unsent.isEmpty()) {
            ledger.release(unsent.stream().map(Ended::claim).toList());
            backlog.putBack(unsent.stream().map(Ended::work).toList());
            LOG.info("claims given back, their calls could not begin in time count={}", unsent.size());
            unsent.clear();
        }
    }

    private void settle() throws SQLException {
        if (sent.isEmpty()) {
            return;
        }
        Settled settled = ledger.settle(sent.stream().map(Ended::settlement).toList());
        Map<Ask, Ended> byAsk = new IdentityHashMap<>();
        sent.forEach(ended -> byAsk.put(ended.claim().ask(), ended));
        sent.clear();
        settled.stored()
                .forEach(stored -> publish.accept(byAsk.get(stored.ask()).work(), stored));
        settled.late().forEach(late -> lost(byAsk.get(late.ask()).work()));
        settled.refused().forEach(refused -> refused(byAsk.get(refused.ask())));
    }

    /** Whoever has the effect now stores its outcome; what that is, is asked for and published. */
    private void lost(Work work) {
        meters.fenced(work.effect().route());
        work.lost();
        backlog.putBack(List.of(work));
    }

    private void refused(Ended ended) {
        LOG.error(
                "outcome cannot be stored and is kept and tried again, the effect is not executed again effect_id={}"
                        + " attempt={} result={}",
                ended.work().effect().id(),
                ended.work().effect().attempt(),
                ended.verdict().orElseThrow().result());
        mailbox.put(ended);
    }

    /** Outcomes that are not stored. */
    int open() {
        return sent.size() + mailbox.size();
    }
}
