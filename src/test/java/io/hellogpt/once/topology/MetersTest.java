package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Hold;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.ops.meters.OpenWork;
import io.hellogpt.once.ops.meters.RequestMeters;
import io.hellogpt.once.schema.Codecs;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the real topology's work looks like in the meters. */
class MetersTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    Path stateDir;

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private TopologyRig rig;

    @BeforeEach
    void start() {
        rig = new TopologyRig(stateDir).opened();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void whatIsPutAsideIsCountedByReasonAndOnlyRequestsAsRequests() {
        rig.pipe(Topics.EFFECT_OUTCOMES, new byte[] {1});
        count();

        assertThat(meters.get("once.rejections")
                        .tag("reason", "malformed")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(requests("rejected")).isZero();
    }

    @Test
    void everyRecordReadIsCountedByItsDisposition() {
        rig.request(plain("r-1"));
        rig.request(plain("r-1"));
        rig.request(plain("r-1").replace("hello", "goodbye"));
        rig.request("no request");
        count();

        assertThat(requests("accepted")).isEqualTo(1);
        assertThat(requests("duplicate")).isEqualTo(1);
        assertThat(requests("conflicting")).isEqualTo(1);
        assertThat(requests("rejected")).isEqualTo(1);
        assertThat(meters.get("once.dedup.hit.rate").gauge().value()).isEqualTo(0.25);
    }

    @Test
    void aCommittedRequestLeavesItsCostItsEffectsAndItsLatency() {
        rig.request(plain("r-1"));
        rig.answer("r-1", "{}");
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        count();

        assertThat(meters.get("once.snapshots").counter().count()).isEqualTo(1);
        assertThat(meters.get("once.cost").tag("currency", "USD").counter().count())
                .isEqualTo(700 / 1e9);
        assertThat(meters.get("once.effects.issued")
                        .tag("route", "billing")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("once.endings")
                        .tag("result", "committed")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("once.latency").tag("stage", "total").timer().count())
                .isEqualTo(1);
        assertThat(meters.get("once.latency").tag("stage", "model").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(5);
    }

    @Test
    void outcomesAreCountedOncePerAttempt() {
        rig.request(signed("r-1"));
        rig.answer("r-1", "{}");
        rig.outcome("r-1:0.1", 1, Result.RETRYABLE);
        rig.outcome("r-1:0.1", 1, Result.RETRYABLE);
        rig.advance(MINUTE);
        rig.outcome("r-1:0.1", 2, Result.FAILED);
        count();

        assertThat(outcomes("retrying")).isEqualTo(1);
        assertThat(outcomes("failed")).isEqualTo(1);
    }

    @Test
    void routesBeyondTheBoundShareOneTag() {
        for (int i = 0; i < 60; i++) {
            rig.request(signed("r-" + i).replace("signing", "route-" + i));
            rig.answer("r-" + i, "{}");
        }
        count();

        assertThat(meters.find("once.effects.issued").counters()).hasSize(51);
        assertThat(meters.get("once.effects.issued")
                        .tag("route", "other")
                        .counter()
                        .count())
                .isEqualTo(11);
    }

    @Test
    void openWorkIsCountedFromTheStores() {
        rig.gateway.slots = 2;
        rig.request(plain("r-1"));
        rig.request(signed("r-2"));
        rig.request(plain("r-3"));
        rig.request(plain("r-4"));
        rig.answer("r-2", "{}");
        rig.advance(MINUTE);

        OpenWork work = openWork();
        assertThat(work.open())
                .containsEntry(RequestState.Status.GENERATING, 1)
                .containsEntry(RequestState.Status.PENDING, 2)
                .containsEntry(RequestState.Status.ACKNOWLEDGED, 1);
        assertThat(work.pendingOldest()).contains(TopologyRig.START);
        assertThat(work.outbox().waiting()).as("billing and signing").isEqualTo(2);
        assertThat(work.outbox().oldestAge()).isEqualTo(MINUTE);
        assertThat(work.outbox().averageAge()).isEqualTo(MINUTE);
        assertThat(work.complete()).isTrue();
    }

    @Test
    void effectsThatCannotBeKnownAndTheRequestsHeldForThemAreSeen() {
        rig.request(signed("r-1"));
        rig.answer("r-1", "{}");
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        rig.outcome("r-1:0.1", 1, Result.UNKNOWN);

        OpenWork work = openWork();
        assertThat(work.unknown()).isEqualTo(1);
        assertThat(work.held()).containsEntry(Hold.Reason.EFFECT_UNKNOWN, 1);
        assertThat(work.open()).containsEntry(RequestState.Status.HELD, 1);
        assertThat(work.outbox().waiting()).isZero();
    }

    @Test
    void endedRequestsAreNoOpenWork() {
        rig.request(plain("r-1"));
        rig.answer("r-1", "{}");
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);

        assertThat(openWork().open().values()).allMatch(count -> count == 0);
    }

    private OpenWork openWork() {
        KeyValueStore<Bytes, byte[]> timers = rig.driver().getKeyValueStore(Stores.TIMERS);
        KeyValueStore<Bytes, byte[]> requests = rig.driver().getKeyValueStore(Stores.REQUESTS_BY_ID);
        return OpenWork.count(
                TopologyRig.START.plus(MINUTE),
                ProtocolSettings.defaults().outcomeTimeout(),
                timers,
                id -> Optional.ofNullable(requests.get(Keys.of(id))).map(Codecs.STATE::decode));
    }

    private void count() {
        RequestMeters observer = new RequestMeters(meters);
        rig.facts.forEach(observer::applied);
    }

    private double requests(String disposition) {
        return meters.get("once.requests")
                .tag("disposition", disposition)
                .counter()
                .count();
    }

    private double outcomes(String result) {
        return meters.get("once.effects.outcomes")
                .tag("route", "signing")
                .tag("result", result)
                .counter()
                .count();
    }

    private static String plain(String id) {
        return "{\"request_id\":\"%s\",\"model\":\"m\",\"input\":\"hello\"}".formatted(id);
    }

    private static String signed(String id) {
        return """
                {"request_id":"%s","model":"m","input":"hello","policy":"declared",
                 "effects":[{"name":"sign","route":"signing","stage":0,"payload":{}}]}""".formatted(id);
    }
}
