package dev.grapnel.git.repository;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/// Which directory is whose (service 2.4.6).
///
/// A repository lies in `<npub>/<identifier>.git`. Where the file system takes two identifiers for the same
/// name, the later one lies in `<identifier>.git~<digest>`, which is no identifier's plain name, and what a
/// directory says of itself decides whose it is. Directories that say nothing belong to the identifier in
/// their name.
final class RepositoryPlaces {
    private static final String SUFFIX = ".git";
    private static final Pattern ESCAPED = Pattern.compile(".+\\.git~[0-9a-f]{16}", Pattern.DOTALL);

    private final DataDirectory data;
    private final EntryNames names;

    RepositoryPlaces(DataDirectory data, EntryNames names) {
        this.data = data;
        this.names = names;
    }

    /// Where a repository lies, if it is there.
    ///
    /// @throws IOException also if a link or a file lies in its place: following it could lead anywhere
    Optional<Path> find(RepositoryAddress address) throws IOException {
        var owner = data.owner(address.owner());
        if (!isDirectory(owner)) {
            return Optional.empty();
        }
        var plain = findPlain(owner, address.identifier());
        return plain.isPresent() ? plain : findEscaped(owner, address.identifier());
    }

    /// Where a repository that is nowhere yet shall lie.
    Path forNew(RepositoryAddress address) throws IOException {
        var owner = data.owner(address.owner());
        Files.createDirectories(owner);
        if (!isDirectory(owner)) {
            throw new NoSuchFileException(owner.toString());
        }
        var plain = child(owner, plainName(address.identifier()));
        boolean taken = names.find(owner, String.valueOf(plain.getFileName())).isPresent();
        return taken ? child(owner, escapedName(address.identifier())) : plain;
    }

    /// Whose a directory in an owner's directory is, if it is a repository.
    Optional<RepositoryAddress> findAddress(PublicKey owner, Path directory) throws IOException {
        return findIdentifier(directory).map(identifier -> new RepositoryAddress(owner, identifier));
    }

    private Optional<Path> findPlain(Path owner, Identifier identifier) throws IOException {
        var plain = child(owner, plainName(identifier));
        var found = names.find(owner, String.valueOf(plain.getFileName()));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var directory = child(owner, found.get());
        if (!isDirectory(directory)) {
            return Optional.empty();
        }
        boolean ours = !names.fold() || findIdentifier(directory).equals(Optional.of(identifier));
        return ours ? Optional.of(directory) : Optional.empty();
    }

    private Optional<Path> findEscaped(Path owner, Identifier identifier) throws IOException {
        var directory = child(owner, escapedName(identifier));
        return isDirectory(directory) ? Optional.of(directory) : Optional.empty();
    }

    private Optional<Identifier> findIdentifier(Path directory) throws IOException {
        var name = String.valueOf(directory.getFileName());
        if (!FileTree.isDirectory(directory)) {
            return Optional.empty();
        }
        if (ESCAPED.matcher(name).matches()) {
            return NewRepository.findIdentifier(directory)
                    .filter(identifier -> escapedName(identifier).equals(name));
        }
        if (!name.endsWith(SUFFIX)) {
            return Optional.empty();
        }
        var recorded = names.fold() ? NewRepository.findIdentifier(directory) : Optional.<Identifier>empty();
        return recorded.or(() -> Identifier.parse(name.substring(0, name.length() - SUFFIX.length()))
                .find());
    }

    private static String plainName(Identifier identifier) {
        return identifier.text() + SUFFIX;
    }

    private static String escapedName(Identifier identifier) {
        try {
            var digest = MessageDigest.getInstance("SHA-256")
                    .digest(identifier.text().getBytes(StandardCharsets.UTF_8));
            return plainName(identifier) + "~" + HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static Path child(Path owner, String name) throws IOException {
        try {
            var path = owner.resolve(name);
            if (!owner.equals(path.getParent()) || !path.normalize().equals(path)) {
                throw new IllegalStateException("a name leads out of its directory: " + name);
            }
            return path;
        } catch (InvalidPathException e) {
            throw new IOException(
                    "file names outside ASCII cannot be used in this locale; start the server with LC_ALL=C.UTF-8", e);
        }
    }

    /// Asked in one look: a repository may go at any moment, and what just went is not there.
    private static boolean isDirectory(Path path) throws IOException {
        try {
            if (Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isDirectory()) {
                return true;
            }
            throw new IOException(path + " must be a directory itself, not a link to one and not a file");
        } catch (NoSuchFileException _) {
            return false;
        }
    }
}
