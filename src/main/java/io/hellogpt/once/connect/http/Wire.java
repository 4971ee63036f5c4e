package io.hellogpt.once.connect.http;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.net.AddressGuard;
import io.hellogpt.once.connect.net.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.routing.RoutingSupport;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.ConnectionReuseStrategy;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * The HTTP client of one route. It sends each request once: nothing is repeated, no redirect is followed, no challenge answered, no
 * cookie kept, no proxy used and nothing decompressed; and it connects only to addresses an {@link AddressGuard} has let through.
 *
 * <p>Safe for several threads.
 */
final class Wire implements AutoCloseable {
    private static final int MAX_HEADERS = 200;
    /** A connection is looked at each time before it is used again: one the receiver has closed costs an attempt. */
    private static final TimeValue LOOK_AFTER = TimeValue.ZERO_MILLISECONDS;
    /**
     * The look cannot see a close that is on its way, so no connection is kept as long as receivers keep theirs, 5 s where that is
     * short. The client looks for idle ones as often as this, so twice this is the most.
     */
    private static final TimeValue IDLE = TimeValue.ofSeconds(2);
    /** So that a receiver that moves to other addresses is followed. */
    private static final TimeValue KEEP = TimeValue.ofMinutes(2);

    private final Route.Limits limits;
    private final CloseableHttpClient client;
    private final ScheduledThreadPoolExecutor timer;

    private Wire(Route.Limits limits, CloseableHttpClient client, String route) {
        this.limits = limits;
        this.client = client;
        this.timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("once-timeouts-" + route).factory());
        timer.setRemoveOnCancelPolicy(true);
    }

    static Wire open(Route.Http route) {
        CloseableHttpClient client = HttpClients.custom()
                .setConnectionManager(connections(route))
                .setConnectionReuseStrategy(reuse(route.recovery()))
                .setRoutePlanner(new DefaultRoutePlanner(DefaultSchemePortResolver.INSTANCE))
                .evictIdleConnections(IDLE)
                .setUserAgent("hellogpt-once-connect")
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .build();
        return new Wire(route.limits(), client, route.name());
    }

    /**
     * A receiver may close a connection at the moment a request goes out on it, and the client cannot tell that from one that was
     * taken and not answered. Where nothing else could tell either, each call has a connection of its own.
     */
    private static ConnectionReuseStrategy reuse(Recovery recovery) {
        return recovery instanceof Recovery.Opaque
                ? (request, response, context) -> false
                : DefaultClientConnectionReuseStrategy.INSTANCE;
    }

    private static PoolingHttpClientConnectionManager connections(Route.Http route) {
        Route.Limits limits = route.limits();
        Route.Network network = route.access().network();
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(guarded(new AddressGuard(network.privateAddresses())))
                .setTlsSocketStrategy(new DefaultClientTlsStrategy(Tls.context(network)))
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .http1Config(Http1Config.custom()
                                .setMaxLineLength(limits.headerBytes())
                                .setMaxHeaderCount(MAX_HEADERS)
                                .build())
                        .build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(timeout(limits.connectTimeout()))
                        .setSocketTimeout(timeout(limits.timeout()))
                        .setValidateAfterInactivity(LOOK_AFTER)
                        .setTimeToLive(KEEP)
                        .build())
                .setConnPoolPolicy(PoolReusePolicy.LIFO)
                .setMaxConnTotal(limits.maxInFlight())
                .setMaxConnPerRoute(limits.maxInFlight())
                .build();
    }

    private static DnsResolver guarded(AddressGuard guard) {
        return new DnsResolver() {
            @Override
            public InetAddress[] resolve(String host) throws UnknownHostException {
                return guard.resolve(host);
            }

            @Override
            public String resolveCanonicalHostname(String host) {
                return host;
            }
        };
    }

    /**
     * Sends a request once.
     *
     * @throws IOException when there is no response; see {@link #certainlyNotSent}
     * @throws TimeoutException when there is no complete response in time
     */
    Answer exchange(HttpUriRequestBase request, Deadline deadline)
            throws IOException, TimeoutException, InterruptedException {
        Duration left = deadline.left();
        request.setConfig(RequestConfig.custom()
                .setConnectionRequestTimeout(timeout(left))
                .setResponseTimeout(timeout(left))
                .setRedirectsEnabled(false)
                .setAuthenticationEnabled(false)
                .setExpectContinueEnabled(false)
                .build());
        AtomicBoolean late = new AtomicBoolean();
        ScheduledFuture<?> alarm = timer.schedule(
                () -> {
                    late.set(true);
                    request.cancel();
                },
                left.toNanos(),
                TimeUnit.NANOSECONDS);
        try {
            return answer(request, late);
        } catch (IOException e) {
            throw translated(e, late.get());
        } catch (HttpException e) {
            throw new IOException("not HTTP", e);
        } finally {
            alarm.cancel(false);
        }
    }

    private static IOException translated(IOException e, boolean late) throws TimeoutException, InterruptedException {
        if (Thread.interrupted()) {
            throw (InterruptedException) new InterruptedException("stopped during a call").initCause(e);
        }
        boolean timedOut = late || e instanceof SocketTimeoutException;
        if (timedOut && !certainlyNotSent(e)) {
            throw (TimeoutException) new TimeoutException(e.getMessage()).initCause(e);
        }
        return e;
    }

    private Answer answer(HttpUriRequestBase request, AtomicBoolean late) throws IOException, HttpException {
        HttpClientContext context = HttpClientContext.create();
        try (ClassicHttpResponse response = open(request, context)) {
            byte[] body = body(response.getEntity(), late);
            return new Answer(response.getCode(), header(response, "Location"), header(response, "Retry-After"), body);
        }
    }

    private ClassicHttpResponse open(HttpUriRequestBase request, HttpClientContext context)
            throws IOException, HttpException {
        try {
            return client.executeOpen(RoutingSupport.determineHost(request), request, context);
        } catch (NoHttpResponseException | ConnectionClosedException | SocketException e) {
            throw isReused(context) && !certainlyNotSent(e) ? new KeptConnectionException(e) : e;
        }
    }

    private static boolean isReused(HttpClientContext context) {
        EndpointDetails connection = context.getEndpointDetails();
        return connection != null && connection.getResponseCount() > 0;
    }

    /** As much as is wanted. The status is in and decides, so a body that breaks off costs no more than the reference. */
    private byte[] body(HttpEntity entity, AtomicBoolean late) throws IOException {
        if (entity == null) {
            return new byte[0];
        }
        InputStream in = entity.getContent();
        byte[] kept = new byte[0];
        try {
            kept = in.readNBytes(limits.responseBytes());
            if (kept.length < limits.responseBytes() || in.read() < 0) {
                in.close();
            }
            return kept;
        } catch (IOException e) {
            if (late.get() || Thread.currentThread().isInterrupted() || e instanceof SocketTimeoutException) {
                throw e;
            }
            return kept;
        }
    }

    private static Optional<String> header(ClassicHttpResponse response, String name) {
        return Optional.ofNullable(response.getFirstHeader(name)).map(Header::getValue);
    }

    private static Timeout timeout(Duration time) {
        return Timeout.ofMilliseconds(Math.max(1, time.toMillis()));
    }

    /** Whether nothing of a request can have reached the receiver's application. */
    static boolean certainlyNotSent(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof ConnectTimeoutException
                    || cause instanceof ConnectionRequestTimeoutException
                    || cause instanceof NoRouteToHostException
                    || cause instanceof UnknownHostException
                    || cause instanceof SSLHandshakeException
                    || cause instanceof SSLPeerUnverifiedException) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        client.close(CloseMode.IMMEDIATE);
    }
}
