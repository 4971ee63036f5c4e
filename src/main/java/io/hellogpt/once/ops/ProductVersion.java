package io.hellogpt.once.ops;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the product, which the build wrote next to this class. */
public final class ProductVersion {
    private static final String RESOURCE = "version.properties";

    private ProductVersion() {}

    public static String get() {
        try (InputStream in = ProductVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + RESOURCE + " is missing: this build is incomplete");
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE, e);
        }
    }
}
