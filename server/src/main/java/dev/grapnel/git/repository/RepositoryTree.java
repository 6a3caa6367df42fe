package dev.grapnel.git.repository;

import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The repositories below a directory, as their names tell: nothing is written and none is opened, so that
/// damaged ones are found, too, and a server may have them.
public final class RepositoryTree {
    /// Where the file system folds names, the later of two has a digest behind its own (service 2.4.6).
    private static final Pattern NAME = Pattern.compile("(.+)\\.git(~[0-9a-f]{16})?", Pattern.DOTALL);

    private RepositoryTree() {}

    /// All of them, in the order of their places.
    public static List<RepositoryPlace> list(Path data) throws IOException {
        var places = new ArrayList<RepositoryPlace>();
        forEach(
                data,
                (owner, directory) -> findIdentifier(directory)
                        .map(identifier -> new RepositoryAddress(owner.key(), identifier))
                        .ifPresent(address -> places.add(new RepositoryPlace(address, directory))));
        places.sort(Comparator.comparing(RepositoryPlace::directory));
        return places;
    }

    private static Optional<Identifier> findIdentifier(Path directory) {
        var name = NAME.matcher(String.valueOf(directory.getFileName()));
        return name.matches() && FileTree.isDirectory(directory)
                ? Identifier.parse(name.group(1)).find()
                : Optional.empty();
    }

    /// Sees what lies in the directories of owners.
    interface Visitor {
        void see(Npub owner, Path entry) throws IOException;
    }

    /// Shows one after another, so that any number may be there. What comes or goes meanwhile may be missed.
    static void forEach(Path data, Visitor visitor) throws IOException {
        try (var owners = Files.newDirectoryStream(data, "npub1*")) {
            for (var owner : owners) {
                var npub = Npub.parse(String.valueOf(owner.getFileName())).find();
                if (npub.isPresent() && FileTree.isDirectory(owner)) {
                    forEachOf(npub.get(), owner, visitor);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        } catch (NoSuchFileException _) {
            // the directory vanished, and all repositories with it
        }
    }

    private static void forEachOf(Npub npub, Path owner, Visitor visitor) throws IOException {
        try (var entries = Files.newDirectoryStream(owner)) {
            for (var entry : entries) {
                visitor.see(npub, entry);
            }
        } catch (NoSuchFileException | NotDirectoryException _) {
            // the last of the owner went while we looked
        }
    }
}
