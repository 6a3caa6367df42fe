package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What may change about a held event while it waits.
///
/// @param expiresAt when it leaves if nothing happens
/// @param source where it came from
/// @param phase of an announcement; nothing else has one
public record Terms(Instant expiresAt, Source source, Optional<HeldAnnouncement.Phase> phase) {
    private static final Field EXPIRES_AT = new Field(1, "deadline");
    private static final Field SOURCE = new Field(2, "source");
    private static final Field PHASE = new Field(3, "phase");

    public Terms {
        expiresAt = Millis.of(expiresAt);
    }

    /// The same with another deadline.
    public Terms until(Instant time) {
        return new Terms(time, source, phase);
    }

    /// The same, come from elsewhere.
    public Terms from(Source other) {
        return new Terms(expiresAt, other, phase);
    }

    /// The same in another phase.
    public Terms in(HeldAnnouncement.Phase other) {
        return new Terms(expiresAt, source, Optional.of(other));
    }

    /// As they are stored.
    public byte[] encode() {
        var out = new FieldWriter().put(EXPIRES_AT, expiresAt).put(SOURCE, source);
        phase.ifPresent(found -> out.put(PHASE, found));
        return out.toArray();
    }

    /// As they were stored.
    ///
    /// @throws IllegalArgumentException if they were not
    public static Terms decode(Bytes stored) {
        var in = Fields.read(ByteBuffer.wrap(stored.toArray()));
        return new Terms(
                in.require(EXPIRES_AT, Value::time),
                in.require(SOURCE, value -> value.oneOf(List.of(Source.values()))),
                in.find(PHASE, value -> value.oneOf(List.of(HeldAnnouncement.Phase.values()))));
    }
}
