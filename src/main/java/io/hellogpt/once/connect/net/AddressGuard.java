package io.hellogpt.once.connect.net;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * Resolves names for connections and refuses addresses that are not of the public internet. The connection is then opened to the
 * very addresses returned here, so a name that changes its address between two look-ups (DNS rebinding) gains nothing.
 *
 * <p>One refused address refuses the name: a mixture of public and private ones is what an attack looks like.
 */
public final class AddressGuard {
    /** Looks a name up. */
    @FunctionalInterface
    public interface Lookup {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    private final boolean privateAllowed;
    private final Lookup lookup;

    public AddressGuard(boolean privateAllowed) {
        this(privateAllowed, InetAddress::getAllByName);
    }

    AddressGuard(boolean privateAllowed, Lookup lookup) {
        this.privateAllowed = privateAllowed;
        this.lookup = lookup;
    }

    /**
     * The addresses {@code host} may be connected at.
     *
     * @throws RefusedAddressException when one of them is not allowed
     * @throws UnknownHostException when there are none
     */
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] addresses = lookup.addresses(host);
        for (InetAddress address : addresses) {
            if (!privateAllowed && !isPublic(address)) {
                throw new RefusedAddressException("host " + host + " leads to " + address.getHostAddress()
                        + ", which is not an address of the public internet; if that is meant, set the route's"
                        + " private.addresses to true");
            }
        }
        return addresses;
    }

    static boolean isPublic(InetAddress address) {
        if (address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        return address instanceof Inet4Address ? isPublic4(address.getAddress()) : isPublic6(address.getAddress());
    }

    /** What the JDK's own predicates leave out of RFC 6890: this network, shared space, IETF protocols, benchmarks, reserved. */
    private static boolean isPublic4(byte[] address) {
        int first = address[0] & 0xff;
        int second = address[1] & 0xff;
        int third = address[2] & 0xff;
        return first != 0
                && !(first == 100 && second >= 64 && second < 128)
                && !(first == 192 && second == 0 && third == 0)
                && !(first == 198 && (second == 18 || second == 19))
                && first < 240;
    }

    /** Unique-local addresses, and the forms that carry an IPv4 address, which counts as that one. */
    private static boolean isPublic6(byte[] address) {
        if ((address[0] & 0xfe) == 0xfc) {
            return false;
        }
        boolean nat64 =
                address[0] == 0 && address[1] == 0x64 && (address[2] & 0xff) == 0xff && (address[3] & 0xff) == 0x9b;
        boolean compatible = true;
        for (int i = 0; i < 12; i++) {
            compatible &= address[i] == 0;
        }
        boolean sixToFour = address[0] == 0x20 && address[1] == 0x02;
        int at = nat64 || compatible ? 12 : 2;
        return !(nat64 || compatible || sixToFour) || isPublicAt(address, at);
    }

    private static boolean isPublicAt(byte[] address, int at) {
        try {
            return isPublic(InetAddress.getByAddress(Arrays.copyOfRange(address, at, at + 4)));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
