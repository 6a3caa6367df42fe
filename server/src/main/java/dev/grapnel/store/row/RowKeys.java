package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.table.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// The keys of rows (P-710), and what the keys of related rows begin with.
///
/// Identifiers hold no zero byte and vary in length, so where something follows them a zero byte ends them:
/// the rows of `a` are never among those of `ab`. None is longer than a table allows.
public final class RowKeys {
    private static final byte[] END = {0};

    private RowKeys() {}

    /// `<owner-hex>:<identifier>`: a held announcement, a repair, an adoption.
    public static Bytes repository(RepositoryAddress repository) {
        return Bytes.wrap(utf8(nameOf(repository)));
    }

    /// The repository of a key that [#repository] made.
    ///
    /// @throws IllegalArgumentException if it made none such
    public static RepositoryAddress parseRepository(Bytes key) {
        var name = new String(key.toArray(), StandardCharsets.UTF_8);
        int colon = name.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("no key of a repository");
        }
        return new RepositoryAddress(
                PublicKey.parse(name.substring(0, colon)).require(), new Identifier(name.substring(colon + 1)));
    }

    /// The identifier of a key that [#state] made.
    ///
    /// @throws IllegalArgumentException if it made none such
    public static Identifier parseStateIdentifier(Bytes key) {
        var bytes = key.toArray();
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new Identifier(new String(bytes, 0, end, StandardCharsets.UTF_8));
    }

    /// The id of a key that [#state] made.
    ///
    /// @throws IllegalArgumentException if it made none such
    public static EventId parseStateId(Bytes key) {
        return EventId.of(key.toArray(), parseStateIdentifier(key).text().getBytes(StandardCharsets.UTF_8).length + 1);
    }

    /// How [#repository] begins for everything of one owner.
    public static Bytes repositoriesOf(PublicKey owner) {
        return Bytes.wrap(utf8(owner + ":"));
    }

    /// The 32 bytes of an id: a held proposal, a placeholder, an expired or refused event, a gate.
    public static Bytes event(EventId id) {
        return Bytes.wrap(id.toBytes());
    }

    /// Identifier and id: a held state.
    public static Bytes state(Identifier identifier, EventId id) {
        return join(utf8(identifier.text()), END, id.toBytes());
    }

    /// How [#state] begins for all states of an identifier.
    public static Bytes statesOf(Identifier identifier) {
        return join(utf8(identifier.text()), END);
    }

    /// Repository and the id of the state that emptied it: a trash record.
    public static Bytes trash(RepositoryAddress repository, EventId stateId) {
        return join(utf8(nameOf(repository)), END, stateId.toBytes());
    }

    /// How [#trash] begins for all records of a repository.
    public static Bytes trashOf(RepositoryAddress repository) {
        return join(utf8(nameOf(repository)), END);
    }

    /// The sort of remote and its name, or where that is too long a hash of it: health.
    public static Bytes remote(Remote remote) {
        var word = utf8(remote.type().word());
        var name = utf8(remote.text());
        return word.length + 1 + name.length <= Table.KEY_BYTES_MAX
                ? join(word, utf8(":"), name)
                : join(word, END, sha256(name));
    }

    /// How [#remote] begins for all remotes of a sort.
    public static Bytes remotesOf(Remote.Type type) {
        return Bytes.wrap(utf8(type.word()));
    }

    /// The number of an import, in eight bytes: its position.
    public static Bytes importOf(long number) {
        return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    /// Whether a key a cursor stands at still belongs to what was looked for.
    public static boolean begins(byte[] key, Bytes prefix) {
        int length = prefix.length();
        return key.length >= length && Arrays.equals(key, 0, length, prefix.toArray(), 0, length);
    }

    private static String nameOf(RepositoryAddress repository) {
        return repository.owner() + ":" + repository.identifier();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Bytes join(byte[]... parts) {
        var joined = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (var part : parts) {
            System.arraycopy(part, 0, joined, at, part.length);
            at += part.length;
        }
        return Bytes.wrap(joined);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
