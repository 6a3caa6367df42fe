package dev.grapnel.nostr.fuzz;

import static dev.grapnel.nostr.fuzz.Oracle.require;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.negentropy.NegentropyInitiator;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.negentropy.NegentropyLimits;
import dev.grapnel.nostr.negentropy.NegentropyResponder;
import dev.grapnel.nostr.negentropy.NegentropyStep;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// Set reconciliation: the data as a message to either role, and as a description of two sets that are reconciled. The
/// first byte chooses.
public final class NegentropyFuzz {
    private static final int FRAME_MIN = 4096;

    /// Larger sets teach the fuzzer nothing and take its time.
    private static final int DESCRIPTION_MAX = 300;

    private static final NegentropyItems ITEMS = items(new SplittableRandom(1), 300);

    private NegentropyFuzz() {}

    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0) {
            return;
        }
        var rest = Arrays.copyOfRange(data, 1, data.length);
        switch (data[0] & 3) {
            case 0 -> respond(rest);
            case 1 -> initiate(rest);
            default -> reconcile(rest, (data[0] & 4) == 0 ? 0 : FRAME_MIN);
        }
    }

    private static void respond(byte[] message) {
        var responder = new NegentropyResponder(ITEMS, FRAME_MIN);
        if (responder.respond(Bytes.copyOf(message)) instanceof Parsed.Valid<Bytes>(var answer)) {
            require(answer.length() <= FRAME_MIN, "longer than the frame");
            require(answer.at(0) == 0x61, "another version");
            // Whatever was asked, the answer is one an initiator understands.
            var initiator = new NegentropyInitiator(ITEMS, NegentropyLimits.DEFAULTS);
            initiator.first();
            require(!(initiator.next(answer) instanceof NegentropyStep.Invalid), "an answer that is malformed");
        }
    }

    /// Hands the message to an initiator piece by piece, each with the length its first byte says.
    private static void initiate(byte[] messages) {
        var initiator = new NegentropyInitiator(ITEMS, new NegentropyLimits(FRAME_MIN, 8, 100));
        initiator.first();
        int at = 0;
        boolean open = true;
        while (open && at < messages.length) {
            int end = Math.min(messages.length, at + 1 + (messages[at] & 0xff) * 4);
            switch (initiator.next(Bytes.copyOf(messages, at + 1, end))) {
                case NegentropyStep.Continue(var message, var _, var _) ->
                    require(message.length() <= FRAME_MIN, "longer than the frame");
                case NegentropyStep.Complete _,
                        NegentropyStep.Exceeded _,
                        NegentropyStep.Invalid _,
                        NegentropyStep.UnsupportedVersion _ -> open = false;
            }
            at = end;
        }
    }

    /// Two bytes are a handful of items: who has them, how many, and the second they are of.
    private static void reconcile(byte[] description, int frameBytes) {
        var ours = NegentropyItems.builder(16, 1 << 20);
        var theirs = NegentropyItems.builder(16, 1 << 20);
        var onlyOurs = new HashSet<EventId>();
        var onlyTheirs = new HashSet<EventId>();
        var random = new SplittableRandom(description.length);
        for (int i = 0; i + 1 < Math.min(description.length, DESCRIPTION_MAX); i += 2) {
            int who = description[i] & 3;
            for (int count = description[i] >> 2 & 0xf; count >= 0; count--) {
                var id = new EventId(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
                if (who != 1) {
                    ours.add(description[i + 1] & 0xff, id);
                }
                if (who != 2) {
                    theirs.add(description[i + 1] & 0xff, id);
                }
                (who == 1 ? onlyTheirs : who == 2 ? onlyOurs : new HashSet<EventId>()).add(id);
            }
        }
        var initiator =
                new NegentropyInitiator(ours.seal(), new NegentropyLimits(frameBytes, 100_000, Integer.MAX_VALUE));
        var responder = new NegentropyResponder(theirs.seal(), frameBytes);
        talk(initiator, responder, onlyOurs, onlyTheirs);
    }

    private static void talk(
            NegentropyInitiator initiator, NegentropyResponder responder, Set<EventId> have, Set<EventId> need) {
        var message = initiator.first();
        while (true) {
            var answer = responder.respond(message).require();
            switch (initiator.next(answer)) {
                case NegentropyStep.Continue(var next, var haveMore, var needMore) -> {
                    take(have, haveMore);
                    take(need, needMore);
                    message = next;
                }
                case NegentropyStep.Complete(var haveMore, var needMore) -> {
                    take(have, haveMore);
                    take(need, needMore);
                    require(have.isEmpty() && need.isEmpty(), "not every difference was found");
                    return;
                }
                case NegentropyStep.Exceeded step ->
                    throw new AssertionError(step.limit().toString());
                case NegentropyStep.Invalid(var reason) -> throw new AssertionError(reason);
                case NegentropyStep.UnsupportedVersion step -> throw new AssertionError(step.toString());
            }
        }
    }

    private static void take(Set<EventId> expected, List<EventId> found) {
        found.forEach(id -> require(expected.remove(id), "not a difference, or found twice: " + id));
    }

    private static NegentropyItems items(SplittableRandom random, int count) {
        var items = NegentropyItems.builder(count, count);
        for (int i = 0; i < count; i++) {
            var id = new EventId(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
            items.add(random.nextInt(20), id);
        }
        return items.seal();
    }
}
