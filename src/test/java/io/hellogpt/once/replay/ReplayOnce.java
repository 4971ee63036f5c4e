package io.hellogpt.once.replay;

public final class ReplayOnce {
    public static void main(String[] a) {
        var r = Replay.of(java.nio.file.Path.of(a[0]), ReplayOptions.AS_RECORDED, ReplayListener.NONE);
        System.out.println(r.steps() + " steps " + r.requests() + " requests " + r.millis() + " ms = " + r.speed()
                + "/min divergences " + r.divergences().size());
    }
}
