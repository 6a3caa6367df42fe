package dev.grapnel.nostr.event;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.json.JsonText;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.Schnorr;
import dev.grapnel.nostr.key.Signature;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// A Nostr event whose form is right and whose id is its hash. Only [EventReader] makes one, so nobody checks
/// again; whether the signature is its author's is another question: [#isSigned].
///
/// The event *is* its normalised JSON (relay 1.6): those bytes are what was hashed, what is stored and what is
/// sent, and tags, content and signature are read from them on demand. Not a record, because a record would
/// hand out the array.
public final class Event {
    private final byte[] json;
    private final int contentFrom;
    private final EventId id;
    private final PublicKey author;
    private final long createdAt;
    private final int kind;
    private final Tags tags;

    Event(byte[] json, int contentFrom, EventId id, PublicKey author, long createdAt, int kind, Tags tags) {
        this.json = json;
        this.contentFrom = contentFrom;
        this.id = id;
        this.author = author;
        this.createdAt = createdAt;
        this.kind = kind;
        this.tags = tags;
    }

    /// SHA-256 of the canonical serialisation.
    public EventId id() {
        return id;
    }

    /// Who says to have signed it.
    public PublicKey author() {
        return author;
    }

    /// Unix seconds.
    public long createdAt() {
        return createdAt;
    }

    /// 0 to 65535.
    public int kind() {
        return kind;
    }

    /// How events of this kind are kept.
    public KindClass kindClass() {
        return KindClass.of(kind);
    }

    /// The tags.
    public Tags tags() {
        return tags;
    }

    /// The content, decoded.
    public String content() {
        int to = json.length - EventReader.BEHIND_CONTENT;
        return JsonText.decode(json, contentFrom, to, true);
    }

    /// The signature over the id.
    public Signature signature() {
        int from = json.length - 2 - Signature.DIGITS;
        return new Signature(
                Hex.parseAnyCase(json, from, from + Signature.DIGITS).require());
    }

    /// Whether the signature is the author's. Costs a hundred times what reading the event did.
    public boolean isSigned() {
        return Schnorr.verify(author, id, signature());
    }

    /// The normalised JSON: what is stored and sent.
    public Bytes json() {
        return Bytes.wrap(json);
    }

    /// Its place in the order of versions.
    public Version version() {
        return new Version(createdAt, id);
    }

    /// Whether another version wins against this one.
    public boolean isOlderThan(Version other) {
        return other.isNewerThan(version());
    }

    /// The address its versions share; only replaceable and addressable kinds have one.
    public Optional<Address> findAddress() {
        return switch (kindClass()) {
            case REPLACEABLE -> Optional.of(new Address(kind, author, ""));
            case ADDRESSABLE ->
                Optional.of(new Address(kind, author, tags.findValue("d").orElse("")));
            case REGULAR, EPHEMERAL -> Optional.empty();
        };
    }

    /// Equal events are equal to the last bit, the signature included.
    @Override
    public boolean equals(Object other) {
        return other instanceof Event that && Arrays.equals(json, that.json);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    /// The normalised JSON as text.
    @Override
    public String toString() {
        return new String(json, StandardCharsets.UTF_8);
    }
}
