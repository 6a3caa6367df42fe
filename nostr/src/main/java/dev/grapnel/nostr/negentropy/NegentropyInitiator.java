package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.negentropy.NegentropyStep.Complete;
import dev.grapnel.nostr.negentropy.NegentropyStep.Continue;
import dev.grapnel.nostr.negentropy.NegentropyStep.Exceeded;
import dev.grapnel.nostr.negentropy.NegentropyStep.Invalid;
import dev.grapnel.nostr.negentropy.NegentropyStep.Limit;
import dev.grapnel.nostr.negentropy.NegentropyStep.UnsupportedVersion;

/// The side that asks and learns the differences: send [#first], give every answer to [#next], send what that
/// says.
public final class NegentropyInitiator {
    private final NegentropyItems items;
    private final NegentropyLimits limits;
    private final FrameLimit frameLimit;
    private final Fingerprints fingerprints;
    private final Differences differences;
    private int rounds;
    private boolean ended;

    /// A session over these items.
    public NegentropyInitiator(NegentropyItems items, NegentropyLimits limits) {
        this.items = items;
        this.limits = limits;
        this.frameLimit = new FrameLimit(limits.frameBytes());
        this.fingerprints = new Fingerprints(items);
        this.differences = new Differences(items);
    }

    /// The message that opens the session.
    public Bytes first() {
        if (rounds != 0) {
            throw new IllegalStateException("the session is open already");
        }
        rounds = 1;
        var answer = new Answer(items, fingerprints, frameLimit);
        answer.split(Bound.INFINITY, items.size());
        return answer.toBytes();
    }

    /// Takes the responder's answer to the message sent last.
    public NegentropyStep next(Bytes message) {
        if (rounds == 0 || ended) {
            throw new IllegalStateException(ended ? "the session has ended" : "the session is not open");
        }
        var step = read(message);
        ended = !(step instanceof Continue);
        return step;
    }

    private NegentropyStep read(Bytes message) {
        return switch (Version.of(message)) {
            case V1 -> read(RangeReader.ofResponder(message));
            case OTHER -> new UnsupportedVersion(message.at(0));
            case NONE -> new Invalid("unknown protocol version");
        };
    }

    private NegentropyStep read(RangeReader ranges) {
        var answer = new Answer(items, fingerprints, frameLimit);
        differences.open();
        while (ranges.hasNext() && !answer.isFull()) {
            switch (ranges.next()) {
                case Parsed.Valid<Range>(var range) -> add(range, answer, ranges);
                case Parsed.Invalid<Range>(var reason) -> {
                    return new Invalid(reason);
                }
            }
        }
        differences.close();
        return step(answer);
    }

    private void add(Range range, Answer answer, RangeReader ranges) {
        switch (range) {
            case Range.Skip(var bound) -> answer.settle(bound, answer.upper(bound));
            case Range.Fingerprinted(var bound, var theirs) -> answer.compare(bound, theirs);
            case Range.IdList list -> {
                int upper = answer.upper(list.bound());
                differences.compare(ranges, list, answer.lower(), upper);
                answer.settle(list.bound(), upper);
            }
        }
    }

    private NegentropyStep step(Answer answer) {
        var have = differences.have();
        var need = differences.need();
        if (differences.needCount() > limits.needMax()) {
            return new Exceeded(Limit.NEED, have, need);
        }
        if (answer.isEmpty()) {
            return new Complete(have, need);
        }
        if (rounds == limits.roundsMax()) {
            return new Exceeded(Limit.ROUNDS, have, need);
        }
        rounds++;
        return new Continue(answer.toBytes(), have, need);
    }
}
