package io.hellogpt.once.embedded;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.common.protocol.ApiKeys;

/** A broker behind a {@link Relay}, for tests of what people are told meanwhile. */
public final class HeldBroker implements AutoCloseable {
    private final EmbeddedBroker broker;
    private final Relay relay;
    private final String address;
    private Relay.Hold hold;

    private HeldBroker(EmbeddedBroker broker, Relay relay, String address) {
        this.broker = broker;
        this.relay = relay;
        this.address = address;
    }

    public static HeldBroker create(Path directory) throws IOException {
        int port = FreePorts.next();
        EmbeddedBroker broker = EmbeddedBroker.createBehind(directory, port);
        return new HeldBroker(broker, Relay.open(port, broker.relayedPort()), "127.0.0.1:" + port);
    }

    public EmbeddedBroker broker() {
        return broker;
    }

    /** The way through the relay. */
    public String address() {
        return address;
    }

    /** From now on no store gets anything of its changelog. */
    public void holdRestores() {
        hold = relay.hold((kind, client, request) -> kind == ApiKeys.FETCH && client.endsWith("restore-consumer"));
    }

    /** Whether a store waits for its changelog. */
    public boolean holdsRestore() {
        return hold.caught() > 0;
    }

    public void pass() {
        hold.pass();
    }

    /** The broker is closed by who uses it. */
    @Override
    public void close() throws IOException {
        relay.close();
    }
}
