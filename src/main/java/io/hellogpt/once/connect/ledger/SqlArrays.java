package io.hellogpt.once.connect.ledger;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A batch as one array per column, so that the round trips of a statement do not grow with its rows. */
final class SqlArrays<T> {
    private final PreparedStatement statement;
    private final List<T> batch;
    private int index;

    /** @param first the parameter the first column goes to */
    SqlArrays(PreparedStatement statement, int first, List<T> batch) {
        this.statement = statement;
        this.batch = batch;
        this.index = first;
    }

    /** Sets the next parameter to one column of the batch. */
    SqlArrays<T> column(String type, Function<T, Object> column) throws SQLException {
        List<Object> values = new ArrayList<>(batch.size());
        batch.forEach(item -> values.add(column.apply(item)));
        // The driver takes byte arrays in an array of exactly their type only.
        Object[] elements = type.equals("bytea") ? values.toArray(new byte[0][]) : values.toArray();
        statement.setArray(index++, statement.getConnection().createArrayOf(type, elements));
        return this;
    }

    SqlArrays<T> text(Function<T, Object> column) throws SQLException {
        return column("text", column);
    }
}
