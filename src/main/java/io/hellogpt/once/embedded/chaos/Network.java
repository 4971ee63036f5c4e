package io.hellogpt.once.embedded.chaos;

import java.util.ArrayList;
import java.util.List;

/** All ways between the parts of the rig. Built by one thread. */
final class Network implements AutoCloseable {
    private final List<Link> links = new ArrayList<>();

    /** One way. */
    record Link(Role from, Role to, TcpProxy proxy) {
        String name() {
            return proxy.name();
        }

        /** Between whom it is, whichever of them. */
        String pair() {
            return from.key() + "-" + to.key();
        }

        /**
         * Whether what was held up by a cut is lost with it. A receiver must not get a request long after its sender has given it
         * up: that a receiver is silent so long and no longer is what the settle time of a route states.
         */
        boolean losesWhatIsHeldUp() {
            return to == Role.RECEIVERS || to == Role.MODEL;
        }
    }

    /**
     * Opens a way to a port.
     *
     * @return the port to connect to instead
     */
    int link(Party from, Party to, int port) {
        TcpProxy proxy = TcpProxy.open(from.name() + ">" + to.name(), port);
        links.add(new Link(from.role(), to.role(), proxy));
        return proxy.port();
    }

    /** One end of a way. */
    record Party(Role role, String name) {}

    List<Link> links() {
        return List.copyOf(links);
    }

    /** Every way is free again. */
    void restore() {
        links.forEach(link -> link.proxy().restore());
    }

    @Override
    public void close() {
        links.forEach(link -> link.proxy().close());
    }
}
