package io.hellogpt.once.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports on loopback that nothing listens on.
 *
 * <p>They lie below the range the kernel takes for outgoing connections (from 32768 on Linux). A port from that range could be taken by
 * any client while its broker is down, and a client reconnecting to it can even end up connected to itself.
 */
public final class FreePorts {
    private static final int LOWEST = 15_000;
    private static final int BOUND = 32_000;
    private static final int ATTEMPTS = 1_000;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private FreePorts() {}

    /** A port that was free a moment ago and that this JVM has not been given before. */
    public static synchronized int next() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, BOUND);
            if (GIVEN.add(port) && isFree(port)) {
                return port;
            }
        }
        throw new EmbeddedException(
                "no free port between %d and %d after %d attempts".formatted(LOWEST, BOUND, ATTEMPTS));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
