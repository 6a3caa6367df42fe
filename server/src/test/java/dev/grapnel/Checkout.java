package dev.grapnel;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/// The working copy these tests run in, as house rules see it: the files people write, and the classes made of them.
final class Checkout {
    private static final Set<String> NOT_WRITTEN_BY_PEOPLE =
            Set.of(".git", ".grapnel", "target", ".idea", ".vscode", "node_modules", "data");

    private Checkout() {}

    /// The directory of the root pom. Maven and IDEs start tests in the module's directory.
    static Path root() {
        return Path.of("..").toAbsolutePath().normalize();
    }

    /// Where a module's classes are, in the same build directory as those of this module.
    static Path classesOf(String module) throws URISyntaxException {
        var ours = Path.of(Grapnel.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return root().resolve(module).resolve(root().resolve("server").relativize(ours));
    }

    /// All files, as paths from the root, in order.
    static List<Path> files() throws IOException {
        return filesBelow(root());
    }

    static List<Path> filesBelow(Path root) throws IOException {
        var files = new ArrayList<Path>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return !directory.equals(root)
                                && NOT_WRITTEN_BY_PEOPLE.contains(
                                        directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(root.relativize(file));
                return FileVisitResult.CONTINUE;
            }
        });
        Collections.sort(files);
        return files;
    }
}
