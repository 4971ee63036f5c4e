package io.hellogpt.once.connect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version the build wrote next to this class. */
final class ConnectorVersion {
    private static final String RESOURCE = "version.properties";

    private ConnectorVersion() {}

    static String get() {
        try (InputStream in = ConnectorVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the connector's archive lacks " + RESOURCE);
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE, e);
        }
    }
}
