package dev.grapnel.bench.load;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.negentropy.NegentropyInitiator;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.negentropy.NegentropyLimits;
import dev.grapnel.nostr.negentropy.NegentropyStep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Reconciles a set with the relay's by negentropy (NIP-77): how many rounds, bytes and seconds until all
/// differences are known?
///
/// @param known the set at this side
/// @param missing ids the relay is to have and this side lacks; those it does not name were replaced or deleted
///     there
/// @param filter of the relay's set
record Sync(Driver driver, NegentropyItems known, Set<EventId> missing, String filter, int frameBytes)
        implements Scenario {
    private static final int ROUNDS_MAX = 100_000;
    private static final byte[] ID = "sync".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OPEN = "[\"NEG-OPEN\",\"sync\",".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MESSAGE = "[\"NEG-MSG\",\"sync\",\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COMMA = ",\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\"]".getBytes(StandardCharsets.US_ASCII);

    @Override
    public String title() {
        return String.format(Locale.ROOT, "sync, %,d events known and %,d missing", known.size(), missing.size());
    }

    @Override
    public Outcome run(Target target, int round) throws IOException, InterruptedException {
        var surprises = new Surprises();
        try {
            var crews =
                    driver.crews(loop -> new Initiator(loop, target, surprises)).subList(0, 1);
            driver.open(crews, 1);
            var meter = Meter.start(target);
            driver.onEach(crews, Initiator::start);
            if (!driver.await(crews)) {
                surprises.add("no progress", "the relay stopped answering");
            }
            driver.onEach(crews, _ -> true);
            var initiator = crews.getFirst();
            var reading = meter.finish(initiator.need.size(), "ids found");
            var figures = initiator.figures();
            reading.addTo(figures);
            return new Outcome(figures, surprises);
        } finally {
            driver.hangUp();
        }
    }

    private final class Initiator extends Crew {
        private final NegentropyInitiator session =
                new NegentropyInitiator(known, new NegentropyLimits(frameBytes, ROUNDS_MAX, NegentropyItems.ITEMS_MAX));
        private final Histogram latency = new Histogram();
        private final Set<EventId> need = new HashSet<>();
        private long have;
        private long rounds;
        private long asked;
        private long answered;
        private long start;
        private long sent;
        private long end;

        Initiator(Loop loop, Target target, Surprises surprises) {
            super(loop, target, false, surprises);
        }

        boolean start() {
            start = System.nanoTime();
            end = start;
            var first = session.first();
            sent(first);
            connections().getFirst().send(OPEN, ascii(filter), COMMA, ascii(first.toHex()), END);
            return true;
        }

        private void sent(Bytes message) {
            sent = System.nanoTime();
            rounds++;
            asked += message.length();
        }

        @Override
        void answered(Connection connection, AnswerType type, AnswerScan answer, int length, long now) {
            if (type != AnswerType.NEG_MSG || !answer.isText(ID) || !answer.next()) {
                surprise(type, answer);
                if (type != AnswerType.AUTH) {
                    done().complete(true);
                }
                return;
            }
            latency.record(now - sent);
            progress();
            switch (Bytes.parseHex(answer.text())) {
                case Parsed.Valid<Bytes>(var message) -> take(connection, message);
                case Parsed.Invalid<Bytes>(var reason) -> fail(reason);
            }
            end = System.nanoTime();
        }

        private void take(Connection connection, Bytes message) {
            answered += message.length();
            switch (session.next(message)) {
                case NegentropyStep.Continue(var next, var haveMore, var needMore) -> {
                    found(haveMore, needMore);
                    sent(next);
                    connection.send(MESSAGE, ascii(next.toHex()), END);
                }
                case NegentropyStep.Complete(var haveMore, var needMore) -> {
                    found(haveMore, needMore);
                    done().complete(true);
                }
                case NegentropyStep.Exceeded exceeded -> fail("limit of " + exceeded.limit());
                case NegentropyStep.Invalid(var reason) -> fail(reason);
                case NegentropyStep.UnsupportedVersion(var version) -> fail("version " + version);
            }
        }

        private void found(List<EventId> haveMore, List<EventId> needMore) {
            have += haveMore.size();
            need.addAll(needMore);
        }

        private void fail(String reason) {
            surprises().add("negentropy", reason);
            done().complete(true);
        }

        Figures figures() {
            long expected = need.stream().filter(missing::contains).count();
            return new Figures()
                    .put("seconds", (end - start) / 1e9)
                    .put("rounds", rounds)
                    .put("bytes sent", asked)
                    .put("bytes received", answered)
                    .put("ids found", need.size())
                    .put("of them in the file", expected)
                    .put("ids the relay lacks", have)
                    .put("round", latency);
        }

        @Override
        void ready(Connection connection, int number) {
            /* begins when it is told to */
        }

        @Override
        void lost(Connection connection) {
            done().complete(true);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
