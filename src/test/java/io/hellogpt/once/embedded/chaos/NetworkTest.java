package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.embedded.FreePorts;
import io.hellogpt.once.embedded.chaos.Network.Party;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NetworkTest {
    private final Network network = new Network();

    @BeforeEach
    void joinThreeBrokersBothWays() {
        for (int one = 1; one <= 3; one++) {
            for (int other = 1; other <= 3; other++) {
                if (one != other) {
                    network.join(broker(one), broker(other), somewhere(), somewhere());
                }
            }
        }
        network.link(new Party(Role.INSTANCE, "instance-1"), broker(1), FreePorts.next());
    }

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void whatGoesEitherWayBetweenTwoIsOneLink() {
        assertThat(network.links())
                .extracting(Link::name)
                .containsExactlyInAnyOrder(
                        "broker-1=broker-2", "broker-1=broker-3", "broker-2=broker-3", "instance-1>broker-1");
        assertThat(network.links())
                .filteredOn(link -> link.pair().equals("broker-broker"))
                .allSatisfy(link -> assertThat(link.proxies()).hasSize(2));
    }

    @Test
    void oneAndTheOthersOfItsKindAreOneLinkWithTheClaimsOfBoth() {
        Link around = network.around(broker(2));

        assertThat(around.names()).containsExactlyInAnyOrder("broker-1=broker-2", "broker-2=broker-3");
        assertThat(around.proxies()).hasSize(4);
    }

    private static Party broker(int id) {
        return new Party(Role.BROKER, "broker-" + id);
    }

    private static InetSocketAddress somewhere() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next());
    }
}
