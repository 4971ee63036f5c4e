package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseIT {
    @TempDir
    Path dir;

    @Test
    void keepsWhatWasCommittedThroughStopAndKill() throws SQLException {
        ProcessHandle server;
        try (EmbeddedDatabase database = EmbeddedDatabase.create(dir)) {
            database.start();
            execute(database, "create table letter (name text)");
            execute(database, "insert into letter values ('a')");

            database.stop();
            assertThat(database.server()).isEmpty();
            database.start();
            execute(database, "insert into letter values ('b')");
            database.kill();
            assertThat(database.server()).isEmpty();
            database.start();

            assertThat(letters(database)).containsExactly("a", "b");
            server = database.server().orElseThrow();
        }
        assertThat(server.isAlive()).isFalse();
    }

    @Test
    void isTakenDownWhenItsParentVanishes() {
        try (EmbeddedDatabase database = EmbeddedDatabase.create(dir)) {
            database.start();
            ProcessHandle server = database.server().orElseThrow();

            database.child().orElseThrow().releaseInput();

            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !server.isAlive());
        }
    }

    private static void execute(EmbeddedDatabase database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.address());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> letters(EmbeddedDatabase database) throws SQLException {
        List<String> letters = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(database.address());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select name from letter order by name")) {
            while (rows.next()) {
                letters.add(rows.getString(1));
            }
        }
        return letters;
    }
}
