package io.hellogpt.once.connect;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds a receiver's answers back until it is opened; what the receiver was asked to do is then long in its log. */
public final class Gate {
    private final CountDownLatch opened = new CountDownLatch(1);

    public void open() {
        opened.countDown();
    }

    public Receiver.Answer before(Receiver.Answer answer) {
        return exchange -> {
            try {
                if (!opened.await(2, TimeUnit.MINUTES)) {
                    throw new IOException("nobody opened the gate");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
            answer.to(exchange);
        };
    }
}
