package dev.grapnel.client;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.nip19.Nsec;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;

/// Keeps a user's secret key. No sentence that comes from here holds anything of it.
public final class KeyFile {
    private static final int FILE_MAX = 1_024;

    private KeyFile() {}

    /// Makes a key and keeps it where nobody else may read it.
    ///
    /// @throws ToolFailure if there is such a file already: a key cannot be had back once it is overwritten
    public static SecretKey make(Path file, SecureRandom random) {
        var key = SecretKey.generate(random);
        var ownersOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var modes = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(file, modes, ownersOnly)) {
            var bytes = ByteBuffer.wrap((new Nsec(key).revealed() + "\n").getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
            return key;
        } catch (FileAlreadyExistsException e) {
            throw new ToolFailure(
                    "there is a file " + file + " already, and a key in it could not be had back; take another name",
                    e);
        } catch (IOException e) {
            throw ToolFailure.of("write a new key to", file, e);
        }
    }

    /// The key that a user names: an nsec, 64 hex digits, or a file with one of them.
    ///
    /// @throws ToolFailure if it is none of these
    public static SecretKey require(String given) {
        return parse(given).find().orElseGet(() -> read(path(given)));
    }

    private static Path path(String given) {
        try {
            // whoever mistyped a secret must not see it repeated where others read along
            if (given.startsWith("nsec1")) {
                throw new ToolFailure("the secret key that was given is damaged: it begins as an nsec and is none");
            }
            return Path.of(given);
        } catch (InvalidPathException e) {
            throw new ToolFailure("a key is an nsec, 64 hex digits, or the name of a file with one of them", e);
        }
    }

    private static SecretKey read(Path file) {
        try (var in = Files.newInputStream(file)) {
            var text = new String(in.readNBytes(FILE_MAX), StandardCharsets.ISO_8859_1).strip();
            return parse(text)
                    .find()
                    .orElseThrow(() -> new ToolFailure("there is no secret key in " + file
                            + " (an nsec, or 64 hex digits); 'grapnel keys new' makes one in a new file"));
        } catch (IOException e) {
            throw ToolFailure.of("read the key in", file, e);
        }
    }

    private static Parsed<SecretKey> parse(String text) {
        return text.length() == 64 ? SecretKey.parse(text) : Nsec.parse(text).map(Nsec::key);
    }
}
