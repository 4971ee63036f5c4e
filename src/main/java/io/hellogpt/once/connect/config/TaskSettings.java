package io.hellogpt.once.connect.config;

import java.time.Duration;

/**
 * How a task works, whatever the route.
 *
 * @param sendTimeout after its claim in the ledger a call begins within this time or not at all
 * @param drainTimeout how long calls that are out are waited for when partitions are taken away or the task is stopped
 * @param queueRecords effects of one route a task holds before it stops reading the partitions they come from
 * @param queueBytes the same, by the size of their payloads
 */
public record TaskSettings(
        Duration sendTimeout, Duration drainTimeout, int queueRecords, long queueBytes, Circuit circuit, Purge purge) {

    /**
     * When a route counts as dead.
     *
     * @param calls of how many calls the rate is taken
     * @param failureRate in percent; at this rate the route is given no calls
     * @param open for how long, before a call tries it again
     */
    public record Circuit(int calls, int failureRate, Duration open) {}

    /**
     * What the ledger forgets.
     *
     * @param retention how long a row stays after its effect has ended
     * @param interval how often rows are looked for; zero for never
     */
    public record Purge(Duration retention, Duration interval) {}
}
