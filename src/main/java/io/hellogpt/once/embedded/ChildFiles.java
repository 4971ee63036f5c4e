package io.hellogpt.once.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Puts files that children need outside this JVM's classpath into the work directory. */
final class ChildFiles {
    private ChildFiles() {}

    /** The option that sends a child's log to its standard output, which is a file. */
    static String loggingOption(Path workDir) {
        Path file = workDir.resolve("logback-child.xml");
        copy("/logback-child.xml", file);
        return "-Dlogback.configurationFile=" + file.toAbsolutePath();
    }

    /** A classpath directory that holds {@link ChildMain} and nothing else. */
    static Path childMain(Path workDir) {
        String resource = "/" + ChildMain.class.getName().replace('.', '/') + ".class";
        Path root = workDir.resolve("child-main");
        copy(resource, root.resolve(resource.substring(1)));
        return root;
    }

    /** The jar or directory this product's classes come from. */
    static Path ownCode() {
        try {
            return Path.of(ChildMain.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new EmbeddedException("where this product's classes come from has no path", e);
        }
    }

    private static void copy(String resource, Path target) {
        try (InputStream in = ChildFiles.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new EmbeddedException("the classpath has no " + resource);
            }
            Files.createDirectories(target.toAbsolutePath().getParent());
            Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new EmbeddedException(target + " could not be written", e);
        }
    }
}
