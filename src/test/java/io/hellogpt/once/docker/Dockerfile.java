package io.hellogpt.once.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The instructions of a Dockerfile, continued lines joined and comments left out. */
record Dockerfile(List<Instruction> instructions) {
    record Instruction(String name, String arguments) {
        List<String> words() {
            return List.of(arguments.trim().split("\\s+"));
        }
    }

    static Dockerfile read(Path file) throws IOException {
        List<Instruction> instructions = new ArrayList<>();
        StringBuilder pending = new StringBuilder();
        for (String line : Files.readAllLines(file)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            boolean continued = line.endsWith("\\");
            pending.append(continued ? line.substring(0, line.length() - 1) : line)
                    .append(' ');
            if (!continued) {
                String[] parts = pending.toString().trim().split("\\s+", 2);
                instructions.add(new Instruction(parts[0], parts[1]));
                pending.setLength(0);
            }
        }
        return new Dockerfile(instructions);
    }

    List<Instruction> all(String name) {
        return instructions.stream().filter(each -> each.name().equals(name)).toList();
    }

    /** The last one, which is the one in force. */
    Optional<Instruction> last(String name) {
        List<Instruction> all = all(name);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }

    /** The image the finished one is made from. */
    String base() {
        return last("FROM").orElseThrow().words().getFirst();
    }

    /** What is copied from the build's context. */
    List<String> copiedFromContext() {
        return all("COPY").stream()
                .map(Instruction::words)
                .filter(words -> !words.getFirst().startsWith("--"))
                .flatMap(words -> words.subList(0, words.size() - 1).stream())
                .toList();
    }

    /** What is copied from the first stage. */
    List<String> copiedFromBuild() {
        return all("COPY").stream()
                .map(Instruction::words)
                .filter(words -> words.getFirst().equals("--from=build"))
                .flatMap(words -> words.subList(1, words.size() - 1).stream())
                .toList();
    }

    /** What ENV instructions set. */
    Map<String, String> environment() {
        return all("ENV").stream()
                .flatMap(instruction -> instruction.words().stream())
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }
}
