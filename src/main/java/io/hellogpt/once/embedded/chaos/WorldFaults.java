package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.EmbeddedException;
import io.hellogpt.once.embedded.OnceInstance;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;

/** Faults of disks, clocks, transactions and of what others decide. */
final class WorldFaults {
    private static final Duration SHORTEST_SKEW = Duration.ofSeconds(3);
    private static final Duration ADMIN_PATIENCE = Duration.ofSeconds(20);
    private static final int ATTEMPTS_TO_CATCH_ONE = 200;
    private static final long BETWEEN_ATTEMPTS_MILLIS = 20;
    private static final String TRANSACTIONS = "transactions";

    private final Rig rig;
    private final ChaosSettings settings;
    private final Supervisor supervisor;
    private final HttpClient http = HttpClient.newHttpClient();

    WorldFaults(Rig rig, ChaosSettings settings, Supervisor supervisor) {
        this.rig = rig;
        this.settings = settings;
        this.supervisor = supervisor;
    }

    /** The instance is stopped, as somebody would who changes a disk, and finds an empty directory. */
    Fault loseState(OnceInstance instance) {
        Path state = rig.stateOf(instance);
        AtomicBoolean lost = new AtomicBoolean();
        Fault.Action lose = () -> {
            supervisor.keepDown(instance);
            instance.stop();
            lost.set(Files.isDirectory(state));
            delete(state);
        };
        return new Fault(
                instance.name(),
                Set.of(instance.name()),
                lose,
                () -> supervisor.bringUp(instance),
                instance::awaitReady,
                lost::get);
    }

    Optional<Fault> fillDisk() {
        OnceInstance instance = rig.regulars().getFirst();
        AtomicBoolean full = new AtomicBoolean();
        return rig.disk().map(disk -> {
            Fault.Action fill = () -> {
                disk.fill();
                full.set(disk.isFull());
            };
            return new Fault(
                    instance.name() + "'s disk",
                    Set.of("disk"),
                    fill,
                    disk::free,
                    () -> awaitAlive(instance),
                    full::get);
        });
    }

    /** Their producers are fenced, which the broker does after aborting what they had open. */
    Fault abortTransactions() {
        AtomicInteger aborted = new AtomicInteger();
        Fault.Action abort = () -> aborted.set(fenceOpenOnes());
        return new Fault(
                TRANSACTIONS,
                Set.of(TRANSACTIONS),
                abort,
                Fault.Action.NOTHING,
                Fault.Action.NOTHING,
                () -> aborted.get() > 0);
    }

    Fault addInstance() {
        OnceInstance spare = rig.spare();
        AtomicBoolean joined = new AtomicBoolean();
        Fault.Action add = () -> supervisor.bringUp(spare);
        Fault.Action remove = () -> {
            joined.set(spare.isAlive());
            supervisor.keepDown(spare);
            spare.stop();
        };
        return new Fault(spare.name(), Set.of(spare.name()), add, remove, Fault.Action.NOTHING, joined::get);
    }

    Optional<Fault> skewClock(int dice) {
        OnceInstance instance = rig.regulars().get(1);
        long most = settings.clockSkew().toSeconds();
        long seconds = SHORTEST_SKEW.toSeconds() + dice % Math.max(1, most - SHORTEST_SKEW.toSeconds());
        Duration ahead = Duration.ofSeconds(dice % 2 == 0 ? seconds : -seconds);
        return rig.clock()
                .map(clock -> Fault.sure(
                        "%s by %+d s".formatted(instance.name(), ahead.toSeconds()),
                        Set.of("clock"),
                        () -> clock.set(ahead),
                        () -> clock.set(Duration.ZERO),
                        () -> awaitAlive(instance)));
    }

    Fault kill(KcatProducer producer) {
        return producerFault(producer::kill, Fault.Action.NOTHING);
    }

    Fault terminate(KcatProducer producer) {
        return producerFault(producer::terminate, Fault.Action.NOTHING);
    }

    Fault pause(KcatProducer producer) {
        return producerFault(producer::pause, producer::resume);
    }

    /** Another one is started when there is something to send. */
    private static Fault producerFault(Fault.Action inject, Fault.Action heal) {
        return Fault.sure("kcat", Set.of("kcat"), inject, heal, Fault.Action.NOTHING);
    }

    Fault lockOut() {
        AtomicBoolean set = new AtomicBoolean();
        AtomicBoolean before = new AtomicBoolean();
        String[] usual = {"{}"};
        Fault.Action lock = () -> {
            usual[0] = ask(HttpRequest.newBuilder().GET());
            before.set(true);
            ask(HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofString("{\"unauthorized\": 1.0}")));
            set.set(true);
        };
        Fault.Action open = () -> {
            if (before.get()) {
                ask(HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofString(usual[0])));
            }
        };
        return new Fault("model", Set.of("model"), lock, open, Fault.Action.NOTHING, set::get);
    }

    private String ask(HttpRequest.Builder request) throws IOException, InterruptedException {
        URI faults = URI.create(rig.model().address() + "/admin/faults");
        return http.send(request.uri(faults).timeout(Duration.ofSeconds(5)).build(), BodyHandlers.ofString())
                .body();
    }

    private int fenceOpenOnes() throws Exception {
        try (Admin admin = Admin.create(rig.config().admin())) {
            ListTransactionsOptions open = new ListTransactionsOptions()
                    .filterStates(Set.of(TransactionState.ONGOING))
                    .timeoutMs((int) ADMIN_PATIENCE.toMillis());
            // Transactions live for some hundred milliseconds: one has to be caught.
            for (int attempt = 0; attempt < ATTEMPTS_TO_CATCH_ONE; attempt++) {
                List<String> ids = admin.listTransactions(open).all().get().stream()
                        .map(TransactionListing::transactionalId)
                        .toList();
                if (!ids.isEmpty()) {
                    admin.fenceProducers(ids).all().get(ADMIN_PATIENCE.toSeconds(), TimeUnit.SECONDS);
                    return ids.size();
                }
                TimeUnit.MILLISECONDS.sleep(BETWEEN_ATTEMPTS_MILLIS);
            }
            return 0;
        }
    }

    /** It may have ended itself, and then another one has been started. */
    private static void awaitAlive(OnceInstance instance) {
        if (instance.isAlive()) {
            instance.awaitReady();
        }
    }

    private static void delete(Path tree) {
        if (Files.notExists(tree)) {
            return;
        }
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new EmbeddedException("the state in " + tree + " could not be deleted", e);
        }
    }
}
