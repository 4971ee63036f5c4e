package io.hellogpt.once.api;

import io.helidon.common.buffers.DataReader;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Reads a request's body within its limits of size and time. */
final class Body {
    private static final int PIECE = 16 * 1024;
    /** A client that is still sending would see a broken connection and not the answer; this much is taken and thrown away first. */
    private static final long DRAINED = 64L * 1024 * 1024;

    private final ServerRequest request;
    private final Limits limits;
    private final long deadline;

    private Body(ServerRequest request, Limits limits) {
        this.request = request;
        this.limits = limits;
        this.deadline = System.nanoTime() + limits.clientTimeout().toNanos();
    }

    /**
     * Reads it whole.
     *
     * @throws ProblemException 413 when it is too long, 408 when it does not come in time
     */
    static byte[] read(ServerRequest request, Limits limits) {
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        return new Body(request, limits).read();
    }

    private byte[] read() {
        long announced = request.headers().contentLength().orElse(0);
        if (announced > limits.bodyBytes() && request.headers().contains(HeaderValues.EXPECT_100)) {
            throw tooLarge(announced + " bytes");
        }
        try (InputStream in = request.content().inputStream()) {
            return announced > limits.bodyBytes() ? drain(in, announced + " bytes") : within(in);
        } catch (DataReader.InsufficientDataAvailableException gone) {
            throw new CloseConnectionException("the client broke off in the middle of the body", gone);
        } catch (IOException | UncheckedIOException silent) {
            throw Problem.of(Problem.Kind.TOO_SLOW, "the body did not arrive within " + seconds(limits.clientTimeout()))
                    .asException();
        }
    }

    private byte[] within(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] piece = new byte[PIECE];
        for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
            body.write(piece, 0, read);
            if (body.size() > limits.bodyBytes()) {
                return drain(in, "more than " + limits.bodyBytes() + " bytes");
            }
            requireInTime();
        }
        return body.toByteArray();
    }

    private byte[] drain(InputStream in, String size) throws IOException {
        byte[] piece = new byte[PIECE];
        long drained = 0;
        for (int read = in.read(piece); read >= 0 && drained < DRAINED; read = in.read(piece)) {
            drained += read;
            requireInTime();
        }
        throw tooLarge(size);
    }

    private ProblemException tooLarge(String size) {
        return Problem.of(
                        Problem.Kind.TOO_LARGE,
                        "the body has %s, at most %d are taken; nothing of it was kept"
                                .formatted(size, limits.bodyBytes()))
                .asException();
    }

    private void requireInTime() throws IOException {
        if (System.nanoTime() > deadline) {
            throw new IOException("late");
        }
    }

    private static String seconds(Duration time) {
        return time.toMillis() / 1000.0 + " s";
    }

    /** Whether what is left of the connection cannot be trusted after this problem. */
    static boolean endsConnection(Problem problem) {
        return problem.kind() == Problem.Kind.TOO_SLOW || problem.kind() == Problem.Kind.TOO_LARGE;
    }

    static io.helidon.http.Header close() {
        return HeaderValues.create(HeaderNames.CONNECTION, "close");
    }
}
