package dev.grapnel.git.maintenance;

import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The repositories below a directory, `<npub>/<identifier>.git`, found by looking.
public final class RepositoryTree implements Repositories {
    private static final String SUFFIX = ".git";

    /// Where the file system folds names, the later of two has a digest behind its own (service 2.4.6).
    private static final Pattern TWIN = Pattern.compile("(.+)\\.git(~[0-9a-f]{16})?", Pattern.DOTALL);

    private final Path data;

    /// @param data the directory of all of them
    public RepositoryTree(Path data) {
        this.data = data;
    }

    @Override
    public Optional<RepositoryPlace> find(RepositoryAddress repository) {
        var directory = data.resolve(new Npub(repository.owner()).text(), repository.identifier() + SUFFIX);
        return Files.isDirectory(directory)
                ? Optional.of(new RepositoryPlace(repository, directory))
                : Optional.empty();
    }

    @Override
    public List<RepositoryPlace> all() throws IOException {
        var places = new ArrayList<RepositoryPlace>();
        for (var owner : entries(data)) {
            var npub = Npub.parse(owner.getFileName().toString()).find();
            if (npub.isPresent()) {
                for (var directory : entries(owner)) {
                    identifier(directory)
                            .map(found -> new RepositoryAddress(npub.get().key(), found))
                            .ifPresent(address -> places.add(new RepositoryPlace(address, directory)));
                }
            }
        }
        return places;
    }

    private static Optional<Identifier> identifier(Path directory) {
        var name = TWIN.matcher(directory.getFileName().toString());
        return name.matches() && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                ? Identifier.parse(name.group(1)).find()
                : Optional.empty();
    }

    private static List<Path> entries(Path directory) throws IOException {
        try (var all = Files.list(directory)) {
            return all.sorted().toList();
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of(); // something else lies there, or it went while we looked
        }
    }
}
