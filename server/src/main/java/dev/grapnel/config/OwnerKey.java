package dev.grapnel.config;

import dev.grapnel.config.ConfigSources.Given;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.nip19.Nsec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The operator's key (service 10.1, `RELAY_OWNER_NSEC`): read from a credential, a variable or a file, and
/// made if there is none. No sentence that comes from here holds anything of it.
public final class OwnerKey {
    static final String NAME = "RELAY_OWNER_NSEC";

    private static final String CREDENTIALS = "CREDENTIALS_DIRECTORY";
    private static final String FILE = ".relay-owner.nsec";
    private static final int FILE_MAX = 1_024;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final ConfigSources sources;
    private final Path file;
    private final SecureRandom random;

    /// A key and where it is.
    ///
    /// @param origin as the operator would name it
    /// @param isNew whether it was made just now
    public record Found(SecretKey key, String origin, boolean isNew) {
        /// Who the operator is.
        public Npub npub() {
            return new Npub(key.publicKey());
        }
    }

    /// @param directory the working directory, where the key is kept if nobody gives one
    public OwnerKey(ConfigSources sources, Path directory, SecureRandom random) {
        this.sources = sources;
        this.file = directory.resolve(FILE);
        this.random = random;
    }

    /// The key, made and kept if there is none; or a sentence about what is wrong.
    public Parsed<Found> findOrMake() {
        return switch (find()) {
            case Parsed.Valid<Optional<Found>>(var found) -> found.isPresent() ? protect(found.get()) : make();
            case Parsed.Invalid<Optional<Found>>(var reason) -> Parsed.invalid(reason);
        };
    }

    /// The key if there is one; changes nothing.
    public Parsed<Optional<Found>> find() {
        try {
            var credential = credential();
            if (credential.isPresent() && Files.exists(credential.get(), LinkOption.NOFOLLOW_LINKS)) {
                return read(credential.get());
            }
        } catch (InvalidPathException _) {
            return Parsed.invalid("$" + CREDENTIALS + " is not a path");
        }
        var given = sources.find(NAME, true, true);
        if (given.isPresent()) {
            return parse(given.get());
        }
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? read(file) : Parsed.valid(Optional.empty());
    }

    private Optional<Path> credential() {
        return Optional.ofNullable(sources.variables().get(CREDENTIALS))
                .filter(directory -> !directory.isBlank())
                .map(directory -> Path.of(directory, NAME.toLowerCase(Locale.ROOT)));
    }

    private static Parsed<Optional<Found>> read(Path path) {
        try (var in = Files.newInputStream(path)) {
            var text = new String(in.readNBytes(FILE_MAX + 1), StandardCharsets.ISO_8859_1);
            return text.length() > FILE_MAX
                    ? Parsed.invalid(path + " is too long for a secret key")
                    : parse(new Given(text.strip(), path.toString()));
        } catch (IOException e) {
            return Parsed.invalid("the operator's key in " + path + " could not be read: " + reason(e));
        }
    }

    private static Parsed<Optional<Found>> parse(Given given) {
        if (given.text().isEmpty()) {
            return Parsed.invalid(given.origin() + " is empty, and to make a new key instead would change who the"
                    + " operator is; set the key, or remove it");
        }
        var key = given.text().length() == 64
                ? SecretKey.parse(given.text())
                : Nsec.parse(given.text()).map(Nsec::key);
        return switch (key) {
            case Parsed.Valid<SecretKey>(var secret) ->
                Parsed.valid(Optional.of(new Found(secret, given.origin(), false)));
            case Parsed.Invalid<SecretKey> _ ->
                Parsed.invalid(given.origin() + " is not a secret key (it is an nsec, or 64 hex digits)");
        };
    }

    /// Others must not read the file. Where the mode cannot be changed it may be good already.
    private Parsed<Found> protect(Found found) {
        if (!found.origin().equals(file.toString())) {
            return Parsed.valid(found);
        }
        try {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
            return Parsed.valid(found);
        } catch (IOException e) {
            return isOwnersOnly()
                    ? Parsed.valid(found)
                    : Parsed.invalid(
                            "others can read " + file + ", and its mode could not be set to 600: " + reason(e));
        }
    }

    private boolean isOwnersOnly() {
        try {
            var names = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
            return names.endsWith("------");
        } catch (IOException _) {
            return false; // then the failure to change it is told
        }
    }

    private Parsed<Found> make() {
        var key = SecretKey.generate(random);
        try {
            keep(new Nsec(key).revealed() + "\n");
            return Parsed.valid(new Found(key, file.toString(), true));
        } catch (FileAlreadyExistsException _) {
            return findOrMake(); // another process was faster
        } catch (IOException e) {
            return Parsed.invalid("a new key for the operator could not be written to " + file + ": " + reason(e));
        }
    }

    /// Whole and on the disk before it has its name, and never in place of another key.
    private void keep(String text) throws IOException {
        var directory = Optional.ofNullable(file.getParent()).orElse(Path.of(""));
        var fresh =
                Files.createTempFile(directory, FILE + ".", ".new", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        try {
            try (var channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            giveName(fresh);
        } finally {
            Files.deleteIfExists(fresh);
        }
        try (var channel = FileChannel.open(directory.toAbsolutePath(), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /// A link is made only where nothing is; a file system without links has to do with a move.
    private void giveName(Path fresh) throws IOException {
        try {
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (FileSystemException | UnsupportedOperationException _) {
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static String reason(IOException problem) {
        return switch (problem) {
            case NoSuchFileException _ -> "there is no such file or directory";
            case AccessDeniedException _ -> "this user may not do that there";
            case FileSystemException failure when failure.getReason() != null -> failure.getReason();
            default -> String.valueOf(problem.getMessage());
        };
    }
}
