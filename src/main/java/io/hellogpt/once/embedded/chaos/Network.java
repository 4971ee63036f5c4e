package io.hellogpt.once.embedded.chaos;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All ways between the parts of the rig. Built by one thread. */
final class Network implements AutoCloseable {
    private final Map<String, Link> links = new LinkedHashMap<>();

    /** One end of a way. */
    record Party(Role role, String name) {}

    /**
     * Opens a way to a port.
     *
     * @return the port to connect to instead
     */
    int link(Party from, Party to, int port) {
        TcpProxy proxy = TcpProxy.open(from.name() + ">" + to.name(), port);
        links.put(proxy.name(), Link.of(proxy, from.role(), to.role()));
        return proxy.port();
    }

    /** Opens one of several ways between two parts that both begin conversations; all of them are one link. */
    void join(Party from, Party to, InetSocketAddress at, InetSocketAddress target) {
        boolean inOrder = from.name().compareTo(to.name()) < 0;
        String name = inOrder ? from.name() + "=" + to.name() : to.name() + "=" + from.name();
        TcpProxy proxy = TcpProxy.open(name, at, target);
        links.merge(name, Link.of(proxy, from.role(), to.role()), (known, another) -> known.with(proxy));
    }

    List<Link> links() {
        return List.copyOf(links.values());
    }

    /** All links one part has with others of its kind, as one. */
    Link around(Party part) {
        String pair = part.role().key() + "-" + part.role().key();
        return Link.joined(
                pair,
                links.values().stream()
                        .filter(link -> link.pair().equals(pair))
                        .filter(link -> link.names().stream()
                                .flatMap(name -> Stream.of(name.split("=")))
                                .anyMatch(part.name()::equals))
                        .toList());
    }

    /** Every way is free again. */
    void restore() {
        links.values().forEach(Link::restore);
    }

    @Override
    public void close() {
        links.values().stream().flatMap(link -> link.proxies().stream()).forEach(TcpProxy::close);
    }
}
