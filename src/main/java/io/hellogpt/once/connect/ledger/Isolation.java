package io.hellogpt.once.connect.ledger;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Keeps a row the database refuses for what is in it from holding up the others. */
final class Isolation {
    private Isolation() {}

    /** A batch of asks as one transaction; one answer for each ask. */
    interface Batch<T> {
        List<T> of(List<Ask> asks) throws SQLException;
    }

    /**
     * Runs {@code asks} as one batch or, when the database refuses the data of one of them, each as a batch of its own.
     *
     * @param refused answers the ask the database refuses
     * @throws SQLException for any other reason; batches of single asks may then have been committed
     */
    static <T> List<T> run(List<Ask> asks, Batch<T> batch, BiFunction<Ask, SQLException, T> refused)
            throws SQLException {
        if (asks.isEmpty()) {
            return List.of();
        }
        try {
            return batch.of(asks);
        } catch (SQLException e) {
            if (!isOfData(e)) {
                throw e;
            }
            if (asks.size() == 1) {
                return List.of(refused.apply(asks.getFirst(), e));
            }
            List<T> all = new ArrayList<>();
            for (Ask ask : asks) {
                all.addAll(run(List.of(ask), batch, refused));
            }
            return all;
        }
    }

    /** Classes 22, data exception, and 23, constraint violation: the same row gives the same error for ever. */
    private static boolean isOfData(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("22") || state.startsWith("23"));
    }
}
