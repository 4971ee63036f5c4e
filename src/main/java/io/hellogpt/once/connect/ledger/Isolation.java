package io.hellogpt.once.connect.ledger;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Keeps a row the database refuses for what is in it from holding up the others. */
final class Isolation {
    private Isolation() {}

    /** A batch as one transaction; one answer for each item. */
    interface Batch<A, T> {
        List<T> of(List<A> items) throws SQLException;
    }

    /** The answer for an item the database refuses. */
    interface Refused<A, T> {
        T of(A item, SQLException why) throws SQLException;
    }

    /**
     * Runs {@code items} as one batch or, when the database refuses the data of one of them, in halves, and those in halves,
     * until the one at fault is alone: of a thousand it costs the others about ten transactions.
     *
     * @throws SQLException for any other reason; parts of the batch may then have been committed
     */
    static <A, T> List<T> run(List<A> items, Batch<A, T> batch, Refused<A, T> refused) throws SQLException {
        if (items.isEmpty()) {
            return List.of();
        }
        try {
            return batch.of(items);
        } catch (SQLException e) {
            if (!isOfData(e)) {
                throw e;
            }
            if (items.size() == 1) {
                return List.of(refused.of(items.getFirst(), e));
            }
            int half = items.size() / 2;
            List<T> all = new ArrayList<>(run(items.subList(0, half), batch, refused));
            all.addAll(run(items.subList(half, items.size()), batch, refused));
            return all;
        }
    }

    /**
     * Classes 22, data exception, and 23, constraint violation, and 54000, program limit exceeded, which a value too large for
     * an index gives: the same row gives the same error for ever.
     */
    private static boolean isOfData(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("22") || state.startsWith("23") || state.equals("54000"));
    }
}
