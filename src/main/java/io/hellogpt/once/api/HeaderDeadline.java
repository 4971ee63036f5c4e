package io.hellogpt.once.api;

import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Closes a connection whose headers do not come in time: the server's own timeout begins anew with every byte. */
final class HeaderDeadline implements Http1ConnectionListener {
    private final Watchdog watchdog;
    private final Duration patience;
    /** By the connection's thread, which reads one request at a time. */
    private final Map<Thread, Watchdog.Guard> reading = new ConcurrentHashMap<>();

    HeaderDeadline(Watchdog watchdog, Duration patience) {
        this.watchdog = watchdog;
        this.patience = patience;
    }

    @Override
    public void prologue(ConnectionContext connection, HttpPrologue prologue) {
        // A connection that broke while its headers were read leaves its guard behind; it has fired or will, on a
        // thread that is gone.
        reading.keySet().removeIf(thread -> !thread.isAlive());
        reading.put(Thread.currentThread(), watchdog.guard(patience));
    }

    @Override
    public void headers(ConnectionContext connection, Headers headers) {
        Watchdog.Guard guard = reading.remove(Thread.currentThread());
        if (guard != null) {
            guard.close();
        }
    }
}
