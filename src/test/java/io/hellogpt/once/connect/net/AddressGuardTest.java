package io.hellogpt.once.connect.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.8.9.1",
                "0.0.0.0",
                "0.1.2.3",
                "10.1.2.3",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "100.127.1.1",
                "192.0.0.8",
                "198.18.0.1",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "fe80::1",
                "fc00::1",
                "fd12:3456::1",
                "ff02::1",
                "fec0::1",
                "::ffff:10.0.0.1",
                "::ffff:127.0.0.1",
                "::127.0.0.1",
                "64:ff9b::a00:1",
                "2002:7f00:1::"
            })
    void anAddressOutsideOfThePublicInternetIsRefused(String address) throws UnknownHostException {
        assertThat(AddressGuard.isPublic(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8.8.8.8",
                "100.63.255.255",
                "100.128.0.1",
                "172.15.0.1",
                "172.32.0.1",
                "192.167.1.1",
                "192.0.1.1",
                "198.17.0.1",
                "223.255.255.255",
                "2606:4700::1111",
                "2002:808:808::",
                "64:ff9b::808:808"
            })
    void aPublicAddressIsNot(String address) throws UnknownHostException {
        assertThat(AddressGuard.isPublic(InetAddress.getByName(address))).isTrue();
    }

    @Test
    void oneAddressAmongSeveralRefusesTheName() throws UnknownHostException {
        InetAddress[] mixed = {InetAddress.getByName("8.8.8.8"), InetAddress.getByName("10.0.0.1")};

        assertThatThrownBy(() -> new AddressGuard(false, host -> mixed).resolve("rebind.example"))
                .isInstanceOf(RefusedAddressException.class)
                .hasMessageContaining("rebind.example")
                .hasMessageContaining("10.0.0.1");
        assertThat(new AddressGuard(true, host -> mixed).resolve("rebind.example"))
                .isEqualTo(mixed);
    }

    @Test
    void aNameThatChangesItsAddressIsJudgedEachTime() throws UnknownHostException {
        Iterator<InetAddress> answers = List.of(
                        InetAddress.getByName("8.8.8.8"), InetAddress.getByName("169.254.169.254"))
                .iterator();
        AddressGuard guard = new AddressGuard(false, host -> new InetAddress[] {answers.next()});

        assertThat(guard.resolve("rebind.example")).hasSize(1);
        assertThatThrownBy(() -> guard.resolve("rebind.example")).isInstanceOf(RefusedAddressException.class);
    }
}
