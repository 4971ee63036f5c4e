package io.hellogpt.once.architecture;

import java.util.stream.Stream;

/** The packages there are on a Connect worker that has our plugin. */
final class ConnectorLibraries {
    private ConnectorLibraries() {}

    static String[] packages(String base) {
        return Stream.concat(
                        Stream.of("core", "schema", "connect").map(name -> base + "." + name + ".."),
                        Stream.of(
                                "", // primitive types and their arrays
                                "java..",
                                "javax..",
                                "org.apache.kafka.common..",
                                "org.apache.kafka.clients..",
                                "org.apache.kafka.connect..",
                                "org.slf4j..",
                                "org.apache.avro..",
                                "com.fasterxml.jackson.core..",
                                "com.fasterxml.jackson.databind..",
                                "com.fasterxml.jackson.annotation..",
                                "com.zaxxer.hikari..",
                                "org.postgresql..",
                                "org.apache.hc..",
                                "com.networknt.schema..",
                                "jakarta.mail..",
                                "jakarta.activation..",
                                "org.eclipse.angus.mail..",
                                "io.github.resilience4j.circuitbreaker..",
                                "io.github.resilience4j.core.."))
                .toArray(String[]::new);
    }
}
