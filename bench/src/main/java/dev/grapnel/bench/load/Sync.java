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
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// Reconciles a set with the relay's by negentropy (NIP-77): how many rounds, bytes and seconds until all
/// differences are known?
///
/// A first session, which is not measured, learns all ids of the relay. The set of the second one is a part of
/// these and as many made-up ones as it lacks, so what must be found is known exactly.
///
/// @param times when events were created; only those of a file are known, because negentropy does not tell
/// @param known which share of the relay's events is known here
/// @param filter of the relay's set
record Sync(Driver driver, Map<EventId, Long> times, double known, String filter, int frameBytes) implements Scenario {
    private static final int ROUNDS_MAX = 100_000;
    private static final int PARTS = 1 << 16;
    private static final byte[] ID = "sync".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OPEN = "[\"NEG-OPEN\",\"sync\",".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MESSAGE = "[\"NEG-MSG\",\"sync\",\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COMMA = ",\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\"]".getBytes(StandardCharsets.US_ASCII);

    @Override
    public String title() {
        return "sync, " + Contest.text(100 * known) + " % known";
    }

    @Override
    public Outcome run(Target target, int round) throws IOException, InterruptedException {
        var surprises = new Surprises();
        var learned = session(target, NegentropyItems.builder(0, 0).seal(), surprises);
        if (surprises.count() > 0) {
            return new Outcome(new Figures(), surprises);
        }
        var here = NegentropyItems.builder(learned.need.size(), NegentropyItems.ITEMS_MAX);
        learned.need.forEach(id -> {
            var time = times.get(id);
            if (time != null && (id.d() & (PARTS - 1)) < known * PARTS) {
                here.add(time, id);
            }
        });
        int missing = learned.need.size() - here.size();
        var random = new SplittableRandom(round);
        var dates = times.values().stream().limit(missing).toList();
        dates.forEach(date -> here.add(
                date, new EventId(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong())));
        var items = here.seal();
        var meter = Meter.start(target);
        var session = session(target, items, surprises);
        var reading = meter.finish(session.need.size(), "ids found");
        if (session.need.size() != missing || session.have != dates.size()) {
            surprises.add(
                    "wrong differences",
                    "found %d and %d instead of %d and %d"
                            .formatted(session.need.size(), session.have, missing, dates.size()));
        }
        var figures = session.figures().put("ids of the relay", learned.need.size());
        reading.addTo(figures);
        return new Outcome(figures, surprises);
    }

    private Initiator session(Target target, NegentropyItems items, Surprises surprises)
            throws IOException, InterruptedException {
        try {
            var crews = driver.crews(loop -> new Initiator(loop, target, surprises, items))
                    .subList(0, 1);
            driver.open(crews, 1);
            driver.onEach(crews, Initiator::start);
            if (!driver.await(crews)) {
                surprises.add("no progress", "the relay stopped answering");
            }
            driver.onEach(crews, _ -> true);
            return crews.getFirst();
        } finally {
            driver.hangUp();
        }
    }

    private final class Initiator extends Crew {
        private final NegentropyInitiator session;
        private final Histogram latency = new Histogram();
        private final Set<EventId> need = new HashSet<>();
        private long have;
        private long rounds;
        private long asked;
        private long answered;
        private long start;
        private long sent;
        private long end;

        Initiator(Loop loop, Target target, Surprises surprises, NegentropyItems items) {
            super(loop, target, false, surprises);
            session = new NegentropyInitiator(
                    items, new NegentropyLimits(frameBytes, ROUNDS_MAX, NegentropyItems.ITEMS_MAX));
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
            return new Figures()
                    .put("seconds", (end - start) / 1e9)
                    .put("rounds", rounds)
                    .put("bytes sent", asked)
                    .put("bytes received", answered)
                    .put("ids found", need.size())
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
