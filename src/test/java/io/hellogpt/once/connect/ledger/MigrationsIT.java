package io.hellogpt.once.connect.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.connect.Databases;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MigrationsIT {
    private LedgerRig rig;

    @BeforeEach
    void open() throws SQLException {
        rig = new LedgerRig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void manyTasksMayMigrateAtOnce() throws Exception {
        String fresh = Databases.create();
        List<EffectLedger> ledgers = IntStream.range(0, 4)
                .mapToObj(i -> LedgerRig.ledger(fresh, "o" + i))
                .toList();
        List<Callable<Void>> tasks = new ArrayList<>();
        for (EffectLedger each : ledgers) {
            tasks.add(() -> {
                each.migrate();
                return null;
            });
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> done : threads.invokeAll(tasks)) {
                done.get();
            }
        }
        ledgers.forEach(EffectLedger::close);

        assertThat(Databases.number(fresh, "SELECT count(*) FROM once_ledger.schema_version"))
                .isEqualTo(2);
    }

    @Test
    void aLedgerOfANewerConnectorIsLeftAlone() {
        Databases.execute(rig.url, "INSERT INTO once_ledger.schema_version (version, name) VALUES (99, 'later')");

        assertThatThrownBy(rig.ledger::migrate).isInstanceOf(SQLException.class).hasMessageContaining("99");
    }
}
