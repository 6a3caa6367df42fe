package dev.grapnel.bench.load;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/// One connection publishes, all others have subscriptions which every event matches; each must get each once.
///
/// @param connections of subscribers
/// @param subscriptions of each of them
/// @param rate events a second, or 0 for as many as are acknowledged
/// @param window unacknowledged events at most
/// @param pool events signed beforehand; when they are used up, the round ends early
record Fanout(
        Driver driver,
        Bulletins bulletins,
        int connections,
        int subscriptions,
        double rate,
        int window,
        Duration duration,
        int pool,
        boolean compressed)
        implements Scenario {
    private static final byte[] REQ = "[\"REQ\",\"s".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BETWEEN = "\",".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] EVENT = "[\"EVENT\",".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "]".getBytes(StandardCharsets.US_ASCII);
    private static final double MEGA = 1e6;

    @Override
    public String title() {
        return String.format(
                Locale.ROOT,
                "fanout, %d connections of %d subscriptions, events of %d bytes, %s%s",
                connections,
                subscriptions,
                bulletins.bytes(),
                rate == 0 ? "as acknowledged" : String.format(Locale.ROOT, "%,.0f events/s", rate),
                compressed ? ", compressed" : "");
    }

    @Override
    public Outcome run(Target target, int round) throws IOException, InterruptedException {
        var surprises = new Surprises();
        int count = rate == 0 ? pool : (int) Math.ceil(rate * duration.toMillis() / 1e3);
        var board = new Board(bulletins.post(count));
        var subscribers = driver.crews(loop -> new Subscribers(loop, target, surprises, board));
        // A publisher on a thread of subscribers would send late whenever they have much to read.
        try (var alone = new Driver(1, driver.patience())) {
            var publishers = alone.crews(loop -> new Publisher(loop, target, surprises, board));
            alone.open(publishers, 1);
            driver.open(subscribers, connections);
            driver.onEach(subscribers, Subscribers::subscribe);
            if (!driver.await(subscribers)) {
                throw new IOException(target.name() + " does not answer all subscriptions: " + surprises.sorts());
            }
            long before = progress(subscribers);
            var meter = Meter.start(target);
            long start = System.nanoTime();
            alone.onEach(publishers, crew -> crew.start(start));
            if (!alone.await(publishers)) {
                surprises.add("no progress", "the relay stopped acknowledging");
            }
            var publisher = publishers.getFirst();
            alone.onEach(publishers, _ -> true);
            driver.await(() -> progress(subscribers), reached -> reached >= before + publisher.accepted * subscribed());
            driver.onEach(subscribers, _ -> true);
            var reading = meter.finish(
                    subscribers.stream().mapToLong(crew -> crew.distinct).sum(), "deliveries");
            return new Outcome(figures(publisher, subscribers, start, reading, surprises), surprises);
        } finally {
            driver.hangUp();
        }
    }

    private static long progress(List<Subscribers> crews) {
        return crews.stream().mapToLong(Crew::progressMade).sum();
    }

    private long subscribed() {
        return (long) connections * subscriptions;
    }

    private Figures figures(
            Publisher publisher, List<Subscribers> crews, long start, Meter.Reading reading, Surprises surprises) {
        var latency = new Histogram();
        long bytes = 0;
        long wire = 0;
        long distinct = 0;
        long last = start;
        for (var crew : crews) {
            latency.add(crew.latency);
            bytes += crew.bytes;
            wire += crew.wireBytes();
            distinct += crew.distinct;
            last = Math.max(last, crew.lastDelivery);
        }
        long missing = publisher.accepted * subscribed() - distinct;
        if (missing > 0) {
            surprises.add("missing deliveries", missing, missing + " of " + publisher.accepted * subscribed());
        }
        double seconds = Math.max(1, last - start) / 1e9;
        var figures = new Figures()
                .put("deliveries/s", distinct / seconds)
                .put("events/s", publisher.accepted / seconds)
                .put("MB/s", bytes / seconds / MEGA)
                .put("MB/s on the wire", wire / seconds / MEGA)
                .put("delivery", latency)
                .put("OK", publisher.latency)
                .put("events", publisher.accepted)
                .put("deliveries", distinct)
                .put("missing", missing);
        reading.addTo(figures);
        return figures;
    }

    /// The events of one round and when each was sent.
    private static final class Board {
        private final Bulletins.Issue issue;
        private final AtomicLongArray sent;

        Board(Bulletins.Issue issue) {
            this.issue = issue;
            this.sent = new AtomicLongArray(issue.events().size());
        }

        int size() {
            return issue.events().size();
        }
    }

    private final class Publisher extends Crew {
        private final Board board;
        private final Histogram latency = new Histogram();
        private long start;
        private int next;
        private int answered;
        private long accepted;

        Publisher(Loop loop, Target target, Surprises surprises, Board board) {
            super(loop, target, false, surprises);
            this.board = board;
        }

        boolean start(long now) {
            start = now;
            loop().turns(this::turn);
            return true;
        }

        private long turn(long now) {
            if (done().isDone()) {
                return Loop.NEVER;
            }
            boolean over = rate == 0 && next > 0 && now - start >= duration.toNanos();
            int end = over ? next : board.size();
            while (next < end && next - answered < window) {
                long due = rate == 0 ? now : start + (long) (next * 1e9 / rate);
                if (due - now > 0) {
                    return due;
                }
                board.sent.set(next, due);
                connections().getFirst().send(EVENT, board.issue.events().get(next), END);
                next++;
            }
            if (next == end && answered == next) {
                done().complete(true);
            }
            return Loop.NEVER;
        }

        @Override
        void answered(Connection connection, AnswerType type, AnswerScan answer, int length, long now) {
            int event = type == AnswerType.OK ? board.issue.index().find(answer.idWord()) : -1;
            if (event < 0) {
                surprise(type, answer);
                return;
            }
            answered++;
            progress();
            latency.record(now - board.sent.get(event));
            if (answer.isAccepted()) {
                accepted++;
            } else {
                surprise(type, answer);
            }
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

    private final class Subscribers extends Crew {
        private final Board board;
        private final Histogram latency = new Histogram();
        private int unanswered;
        private long bytes;
        private long wireBefore;
        private long distinct;
        private long lastDelivery;

        Subscribers(Loop loop, Target target, Surprises surprises, Board board) {
            super(loop, target, compressed, surprises);
            this.board = board;
        }

        boolean subscribe() {
            var filter = board.issue.filter().getBytes(StandardCharsets.US_ASCII);
            unanswered = connections().size() * subscriptions;
            for (var connection : connections()) {
                for (int i = 0; i < subscriptions; i++) {
                    var number = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
                    connection.send(REQ, number, BETWEEN, filter, END);
                }
            }
            finishIfAllAnswered();
            return true;
        }

        private void finishIfAllAnswered() {
            if (unanswered == 0) {
                wireBefore = wireNow();
                done().complete(true);
            }
        }

        long wireBytes() {
            return wireNow() - wireBefore;
        }

        private long wireNow() {
            return connections().stream().mapToLong(Connection::bytesIn).sum();
        }

        @Override
        void answered(Connection connection, AnswerType type, AnswerScan answer, int length, long now) {
            switch (type) {
                case EVENT -> delivered(connection, answer, length, now);
                case EOSE -> {
                    unanswered--;
                    progress();
                    finishIfAllAnswered();
                }
                default -> surprise(type, answer);
            }
        }

        private void delivered(Connection connection, AnswerScan answer, int length, long now) {
            int subscription = answer.number(1);
            int event = board.issue.index().find(answer.eventIdWord());
            if (event < 0 || subscription >= subscriptions) {
                surprises().add("an event nobody sent", answer.example());
                return;
            }
            var seen = connection.attachment(long[][].class)[subscription];
            long bit = 1L << event;
            if ((seen[event / Long.SIZE] & bit) != 0) {
                surprises().add("delivered twice", answer.example());
                return;
            }
            seen[event / Long.SIZE] |= bit;
            distinct++;
            bytes += length;
            lastDelivery = now;
            latency.record(now - board.sent.get(event));
            progress();
        }

        @Override
        void ready(Connection connection, int number) {
            connection.attach(new long[subscriptions][board.size() / Long.SIZE + 1]);
        }

        @Override
        void lost(Connection connection) {
            done().complete(true);
        }
    }
}
