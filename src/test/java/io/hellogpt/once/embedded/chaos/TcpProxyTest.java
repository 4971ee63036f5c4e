package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
    private static final int SILENCE_MILLIS = 300;

    private ServerSocket target;
    private TcpProxy proxy;
    private final AtomicInteger received = new AtomicInteger();

    @BeforeEach
    void open() throws IOException {
        target = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::echo);
        proxy = TcpProxy.open("client>echo", target.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        target.close();
    }

    @Test
    void carriesBytesBothWays() throws IOException {
        try (Socket client = connect()) {
            assertThat(say(client, 7)).isEqualTo(7);
            assertThat(say(client, 8)).isEqualTo(8);
        }
        assertThat(proxy.hits()).isZero();
    }

    @Test
    void aCutHoldsBytesUpUntilItIsOver() throws IOException {
        try (Socket client = connect()) {
            say(client, 1);
            proxy.cut();
            client.getOutputStream().write(2);
            assertSilent(client);
            assertThat(received).hasValue(1);

            proxy.restore();
            assertThat(client.getInputStream().read()).isEqualTo(2);
        }
        assertThat(proxy.hits()).isPositive();
    }

    @Test
    void aCutLetsNoNewConnectionThrough() throws IOException {
        proxy.cut();
        try (Socket client = connect()) {
            client.getOutputStream().write(3);
            assertSilent(client);
            assertThat(received).hasValue(0);

            proxy.restore();
            assertThat(client.getInputStream().read()).isEqualTo(3);
        }
    }

    @Test
    void whatWasHeldUpCanBeLostWithItsConnection() throws IOException {
        try (Socket client = connect()) {
            say(client, 1);
            proxy.cut();
            client.getOutputStream().write(2);
            await().until(() -> proxy.hits() > 0);

            proxy.restoreWithoutWhatWasHeldUp();
            assertGone(client);
        }
        try (Socket client = connect()) {
            assertThat(say(client, 4)).isEqualTo(4);
        }
        assertThat(received).as("bytes that got through").hasValue(2);
    }

    @Test
    void aDelayKeepsBytesAndTheirOrder() throws IOException {
        proxy.delay(Duration.ofMillis(80));
        try (Socket client = connect()) {
            long start = System.nanoTime();
            assertThat(say(client, 5)).isEqualTo(5);
            assertThat(say(client, 6)).isEqualTo(6);
            // A lower bound only: how much longer it takes is the machine's business.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(300));
        }
        assertThat(proxy.hits()).isPositive();
    }

    @Test
    void aResetReachesBothEnds() throws IOException {
        CompletableFuture<Integer> other = new CompletableFuture<>();
        try (ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                TcpProxy way = TcpProxy.open("client>listening", listening.getLocalPort());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), way.port());
                Socket end = listening.accept()) {
            client.getOutputStream().write(1);
            assertThat(end.getInputStream().read()).isEqualTo(1);
            Thread.ofVirtual().start(() -> {
                try {
                    other.complete(end.getInputStream().read());
                } catch (IOException reset) {
                    other.completeExceptionally(reset);
                }
            });

            way.resetConnections();

            assertGone(client);
            assertThat(other).failsWithin(Duration.ofSeconds(10));
            assertThat(way.hits()).isPositive();
        }
    }

    @Test
    void aClientWhoseTargetIsGoneIsTold() throws IOException {
        target.close();
        try (Socket client = connect()) {
            assertGone(client);
        }
    }

    @Test
    void theEndOfOneSideIsTheEndOfTheOther() throws IOException {
        try (Socket client = connect()) {
            say(client, 9);
            client.shutdownOutput();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    private Socket connect() throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        client.setSoTimeout(10_000);
        return client;
    }

    private static int say(Socket client, int what) throws IOException {
        client.getOutputStream().write(what);
        return client.getInputStream().read();
    }

    private static void assertSilent(Socket client) throws IOException {
        client.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        client.setSoTimeout(10_000);
    }

    private static void assertGone(Socket client) {
        assertThatThrownBy(() -> {
                    client.getOutputStream().write(1);
                    if (client.getInputStream().read() < 0) {
                        throw new SocketException("closed");
                    }
                })
                .isInstanceOf(SocketException.class);
    }

    private void echo() {
        while (!target.isClosed()) {
            try {
                Socket socket = target.accept();
                Thread.ofVirtual().start(() -> echo(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void echo(Socket socket) {
        try (socket) {
            for (int read = socket.getInputStream().read();
                    read >= 0;
                    read = socket.getInputStream().read()) {
                received.incrementAndGet();
                socket.getOutputStream().write(read);
            }
        } catch (IOException reset) {
            // Some tests want that.
        }
    }
}
