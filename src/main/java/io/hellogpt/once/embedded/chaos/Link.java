package io.hellogpt.once.embedded.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All ways between two parts of the rig, or between one part and several: what a fault of the network hits as one.
 *
 * @param names of the pairs it consists of
 * @param pair whom it is between, by their roles
 */
record Link(Set<String> names, String pair, boolean losesWhatIsHeldUp, List<TcpProxy> proxies) {
    Link {
        names = Set.copyOf(names);
        proxies = List.copyOf(proxies);
    }

    /** One way. */
    static Link of(TcpProxy proxy, Role from, Role to) {
        // A receiver must not get a request long after its sender has given it up: that a receiver is silent so long
        // and no
        // longer is what the settle time of a route states.
        boolean loses = to == Role.RECEIVERS || to == Role.MODEL;
        return new Link(Set.of(proxy.name()), from.key() + "-" + to.key(), loses, List.of(proxy));
    }

    /** Several as one, to be hit together. */
    static Link joined(String pair, List<Link> links) {
        return new Link(
                links.stream().flatMap(each -> each.names().stream()).collect(Collectors.toSet()),
                pair,
                links.stream().anyMatch(Link::losesWhatIsHeldUp),
                links.stream().flatMap(each -> each.proxies().stream()).toList());
    }

    Link with(TcpProxy another) {
        return new Link(
                names,
                pair,
                losesWhatIsHeldUp,
                Stream.concat(proxies.stream(), Stream.of(another)).toList());
    }

    /** For people. */
    String name() {
        return String.join(" and ", new TreeSet<>(names));
    }

    void cut() {
        proxies.forEach(TcpProxy::cut);
    }

    void delay(Duration by) {
        proxies.forEach(proxy -> proxy.delay(by));
    }

    void reset() {
        proxies.forEach(TcpProxy::resetConnections);
    }

    /** It is free again; what was held up arrives now. */
    void restore() {
        proxies.forEach(TcpProxy::restore);
    }

    /** A cut is over; what was held up arrives now, or is lost with its connection where it would come too late. */
    void mend() {
        proxies.forEach(losesWhatIsHeldUp ? TcpProxy::restoreWithoutWhatWasHeldUp : TcpProxy::restore);
    }

    /** How often faults have hit something so far, see {@link TcpProxy#hits}. */
    long hits() {
        return proxies.stream().mapToLong(TcpProxy::hits).sum();
    }
}
