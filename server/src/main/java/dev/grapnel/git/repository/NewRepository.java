package dev.grapnel.git.repository;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.grapnel.git.Disk;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.nostr.repository.Identifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.Config;

/// An empty bare repository: what any git needs to open it, and no more.
final class NewRepository {
    private static final String SECTION = "grapnel";
    private static final String IDENTIFIER = "identifier";
    private static final String PARTIAL = "partial";
    private static final String LACKING = "lacking";
    private static final int CONFIG_BYTES_MAX = 1 << 16;

    private static final List<String> DIRECTORIES =
            List.of("objects", "objects/pack", "objects/info", "refs", "refs/heads", "refs/tags");

    private NewRepository() {}

    /// Writes it into a directory that is not there yet; all of it is on disk when this returns.
    static void write(Path directory, Identifier identifier, Disk disk) throws IOException {
        Files.createDirectory(directory);
        for (var name : DIRECTORIES) {
            Files.createDirectory(directory.resolve(name));
        }
        disk.write(directory.resolve("HEAD"), out -> out.write(("ref: " + Refs.DEFAULT_BRANCH + "\n").getBytes(UTF_8)));
        disk.write(
                directory.resolve("config"), out -> out.write(config(identifier).getBytes(UTF_8)));
        for (var name : DIRECTORIES.reversed()) {
            disk.forceDirectory(directory.resolve(name));
        }
        disk.forceDirectory(directory);
    }

    /// The identifier is recorded because a file system may have another spelling for it.
    private static String config(Identifier identifier) {
        return """
                [core]
                \trepositoryformatversion = 0
                \tfilemode = true
                \tbare = true
                \tcommitGraph = true
                [gc]
                \tauto = 0
                """ + record(identifier);
    }

    private static String record(Identifier identifier) {
        return "[grapnel]\n\tidentifier = \"" + identifier.text().replace("\"", "\\\"") + "\"\n";
    }

    /// Writes down in a repository of another server which identifier it is for: it is ours from then on.
    static void addIdentifier(Path directory, Identifier identifier, Disk disk) throws IOException {
        addIdentifier(directory, identifier, false, disk);
    }

    /// @param isPartial whether something in it may lack what it names
    static void addIdentifier(Path directory, Identifier identifier, boolean isPartial, Disk disk) throws IOException {
        var file = directory.resolve("config");
        var mark = isPartial ? "\t" + PARTIAL + " = true\n" : "";
        var text = Files.readString(file) + "\n" + record(identifier) + mark;
        var next = directory.resolve("tmp_config");
        Disk.replace(disk, file, next, out -> out.write(text.getBytes(UTF_8)));
    }

    /// Whether another server made it, and it was not compared with events yet.
    static boolean isForeign(Config config) {
        return config.getString(SECTION, null, IDENTIFIER) == null;
    }

    /// Whether something in it may lack what it names.
    static boolean isPartial(Config config) {
        return isForeign(config) || isLacking(config) || config.getBoolean(SECTION, PARTIAL, false);
    }

    /// Whether its refs are known to lack something that they reach.
    static boolean isLacking(Config config) {
        return config.getBoolean(SECTION, LACKING, false);
    }

    /// Writes down that its refs lack something.
    static void markLacking(Path directory, Disk disk) throws IOException {
        change(directory, disk, config -> config.setBoolean(SECTION, null, LACKING, true));
    }

    /// Writes down that they do not any more.
    ///
    /// @param isPartial whether something else in it lacks what it names
    static void markWhole(Path directory, boolean isPartial, Disk disk) throws IOException {
        change(directory, disk, config -> {
            config.unset(SECTION, null, LACKING);
            if (isPartial) {
                config.setBoolean(SECTION, null, PARTIAL, true);
            } else {
                config.unset(SECTION, null, PARTIAL);
            }
        });
    }

    private static void change(Path directory, Disk disk, Consumer<Config> change) throws IOException {
        var file = directory.resolve("config");
        var config = new Config();
        try {
            config.fromText(Files.readString(file));
        } catch (ConfigInvalidException e) {
            throw new IOException(file + " is no configuration that git can read: " + e.getMessage(), e);
        }
        change.accept(config);
        Disk.replace(
                disk,
                file,
                directory.resolve("tmp_config"),
                out -> out.write(config.toText().getBytes(UTF_8)));
    }

    /// The identifier that a repository on disk was made for, if it says so.
    static Optional<Identifier> findIdentifier(Path directory) throws IOException {
        var file = directory.resolve("config");
        if (!Files.isRegularFile(file) || Files.size(file) > CONFIG_BYTES_MAX) {
            return Optional.empty();
        }
        try {
            var config = new Config();
            config.fromText(new String(Files.readAllBytes(file), UTF_8));
            return Optional.ofNullable(config.getString(SECTION, null, IDENTIFIER))
                    .flatMap(text -> Identifier.parse(text).find());
        } catch (ConfigInvalidException e) {
            throw new IOException(file + " is no configuration that git can read: " + e.getMessage(), e);
        }
    }
}
