package io.hellogpt.once.docker;

import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;

/** The properties of the project's pom, where every version stands. */
record Pom(Document document) {
    static Pom read() throws Exception {
        return new Pom(DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("pom.xml").toFile()));
    }

    String property(String name) {
        return document.getElementsByTagName(name).item(0).getTextContent();
    }

    /** The number before the first dot. */
    int major(String name) {
        return Integer.parseInt(property(name).split("\\.")[0]);
    }
}
