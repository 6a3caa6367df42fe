package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;

/// The side that answers. It remembers nothing between messages: each says all there is to know.
public final class NegentropyResponder {
    /// Bytes of an answer when nothing else is said (relay 5.7).
    public static final int FRAME_BYTES_DEFAULT = 500_000;

    private static final Bytes VERSION_ONLY = Bytes.copyOf((byte) Version.V1_BYTE);

    private final NegentropyItems items;
    private final Fingerprints fingerprints;
    private final FrameLimit limit;

    /// A session over these items whose answers have at most `frameBytes` bytes; 0 is no limit.
    public NegentropyResponder(NegentropyItems items, int frameBytes) {
        this.items = items;
        this.fingerprints = new Fingerprints(items);
        this.limit = new FrameLimit(frameBytes);
    }

    /// The answer to an initiator's message, or a reason fit for NEG-ERR `invalid:`.
    public Parsed<Bytes> respond(Bytes message) {
        return switch (Version.of(message)) {
            case V1 -> respond(RangeReader.ofInitiator(message));
            case OTHER -> Parsed.valid(VERSION_ONLY);
            case NONE -> Parsed.invalid("unknown protocol version");
        };
    }

    private Parsed<Bytes> respond(RangeReader ranges) {
        var answer = new Answer(items, fingerprints, limit);
        while (ranges.hasNext() && !answer.isFull()) {
            switch (ranges.next()) {
                case Parsed.Valid<Range>(var range) -> add(range, answer);
                case Parsed.Invalid<Range>(var reason) -> {
                    return Parsed.invalid(reason);
                }
            }
        }
        return Parsed.valid(answer.toBytes());
    }

    private static void add(Range range, Answer answer) {
        switch (range) {
            case Range.Skip(var bound) -> answer.settle(bound, answer.upper(bound));
            case Range.Fingerprinted(var bound, var theirs) -> answer.compare(bound, theirs);
            case Range.IdList list -> answer.list(list.bound());
        }
    }
}
