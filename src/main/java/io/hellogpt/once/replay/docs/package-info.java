/**
 * The pages of {@code topology-docs} that are made from the code: the topology as Streams describes it, the moves the states offer,
 * the catalogues, and one sequence diagram per path, drawn from what the topology did when the path was played.
 */
package io.hellogpt.once.replay.docs;
