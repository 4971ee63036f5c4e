package io.hellogpt.once.model;

/** The requests of one task for one model: what slots are shared out between. */
record Lane(int partition, String model) {}
