package dev.grapnel.bench.load;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Publishes events, each round others, and waits for every acknowledgement.
///
/// @param rounds into how many parts the file is divided
/// @param window unacknowledged events of a connection at most
/// @param rate events a second on all connections together, or 0 for as many as possible. With a rate the
///     latency is counted from the time at which an event was to be sent, not from when there was room to send
///     it
/// @param expected prefixes of refusals that are no surprise
record Ingest(
        Driver driver,
        EventFile events,
        int rounds,
        int connections,
        int window,
        double rate,
        Set<String> expected,
        boolean compressed)
        implements Scenario {
    private static final byte[] EVENT = "[\"EVENT\",".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "]".getBytes(StandardCharsets.US_ASCII);
    private static final double MEGA = 1e6;

    @Override
    public String title() {
        return String.format(
                        Locale.ROOT,
                        "ingest, %,d events a round, %d connections, ",
                        events.count() / rounds,
                        connections)
                + (rate == 0 ? "window " + window : String.format(Locale.ROOT, "%,.0f events/s", rate));
    }

    @Override
    public Outcome run(Target target, int round) throws IOException, InterruptedException {
        var surprises = new Surprises();
        int part = round % rounds;
        int from = (int) ((long) events.count() * part / rounds);
        int to = (int) ((long) events.count() * (part + 1) / rounds);
        var slice = new Slice(from, to, index(from, to));
        var crews = driver.crews(loop -> new Publishers(loop, target, surprises, slice));
        try {
            driver.open(crews, connections);
            assign(crews, Shares.of(events, from, to, connections));
            var meter = Meter.start(target);
            long start = System.nanoTime();
            driver.onEach(crews, crew -> crew.start(start));
            boolean complete = driver.await(crews);
            var reading = meter.finish(to - from, "events");
            driver.onEach(crews, crew -> true);
            if (!complete) {
                surprises.add("no progress", "the relay stopped acknowledging");
            }
            return new Outcome(figures(crews, slice, start, reading), surprises);
        } finally {
            driver.hangUp();
        }
    }

    private IdIndex index(int from, int to) {
        var index = new IdIndex(to - from);
        for (int event = from; event < to; event++) {
            index.put(events.id(event), event);
        }
        return index;
    }

    private static void assign(List<Publishers> crews, int[][] shares) {
        int next = 0;
        for (var crew : crews) {
            for (var connection : crew.connections()) {
                connection.attach(new Queue(shares[next++]));
            }
        }
    }

    private Figures figures(List<Publishers> crews, Slice slice, long start, Meter.Reading reading) {
        var latency = new Histogram();
        var answers = new TreeMap<String, Long>();
        long bytes = 0;
        long last = start;
        for (var crew : crews) {
            latency.add(crew.latency);
            crew.answers.forEach((answer, count) -> answers.merge(answer, count, Long::sum));
            bytes += crew.bytes;
            last = Math.max(last, crew.lastAnswer);
        }
        double seconds = Math.max(1, last - start) / 1e9;
        var figures = new Figures()
                .put("events/s", latency.count() / seconds)
                .put("MB/s", bytes / seconds / MEGA)
                .put("OK", latency)
                .put("events", slice.to - slice.from)
                .put("seconds", seconds);
        answers.forEach(figures::put);
        reading.addTo(figures);
        return figures;
    }

    /// The events of one round, and when each was sent.
    private static final class Slice {
        private final int from;
        private final int to;
        private final IdIndex index;
        private final long[] sent;

        Slice(int from, int to, IdIndex index) {
            this.from = from;
            this.to = to;
            this.index = index;
            this.sent = new long[to - from];
        }
    }

    /// What a connection has to do.
    private static final class Queue {
        private final int[] events;
        private int next;
        private int unacknowledged;

        Queue(int[] events) {
            this.events = events;
        }
    }

    private final class Publishers extends Crew {
        private final Slice slice;
        private final Histogram latency = new Histogram();
        private final Map<String, Long> answers = new TreeMap<>();
        private long start;
        private long unanswered;
        private long lastAnswer;
        private long bytes;

        Publishers(Loop loop, Target target, Surprises surprises, Slice slice) {
            super(loop, target, compressed, surprises);
            this.slice = slice;
        }

        boolean start(long now) {
            start = now;
            lastAnswer = now;
            connections().forEach(each -> unanswered += each.attachment(Queue.class).events.length);
            connections().forEach(each -> publish(each, now));
            if (rate != 0) {
                loop().turns(this::turn);
            }
            finishIfAllAnswered();
            return true;
        }

        private long turn(long now) {
            long due = Loop.NEVER;
            for (var connection : connections()) {
                due = Math.min(due, publish(connection, now));
            }
            return due;
        }

        private void finishIfAllAnswered() {
            if (unanswered == 0) {
                done().complete(true);
            }
        }

        /// Sends what may be sent.
        ///
        /// @return when the next one is due, if only time is in its way
        private long publish(Connection connection, long now) {
            var queue = connection.attachment(Queue.class);
            while (connection.isOpen() && queue.next < queue.events.length && queue.unacknowledged < window) {
                int event = queue.events[queue.next];
                long due = due(event, now);
                if (due - now > 0) {
                    return due;
                }
                slice.sent[event - slice.from] = due;
                connection.send(EVENT, events.length(event), (target, at) -> events.copyTo(event, target, at), END);
                bytes += events.length(event);
                queue.next++;
                queue.unacknowledged++;
            }
            return Loop.NEVER;
        }

        private long due(int event, long now) {
            return rate == 0 ? now : start + (long) ((event - slice.from) * 1e9 / rate);
        }

        @Override
        void answered(Connection connection, AnswerType type, AnswerScan answer, int length, long now) {
            int event = type == AnswerType.OK ? slice.index.find(answer.idWord()) : -1;
            if (event < 0 || slice.sent[event - slice.from] == 0) {
                surprise(type, answer);
                return;
            }
            latency.record(now - slice.sent[event - slice.from]);
            slice.sent[event - slice.from] = 0;
            lastAnswer = now;
            progress();
            judge(answer);
            connection.attachment(Queue.class).unacknowledged--;
            unanswered--;
            if (rate == 0) {
                publish(connection, now);
            }
            finishIfAllAnswered();
        }

        private void judge(AnswerScan answer) {
            var example = answer.example();
            boolean accepted = answer.isAccepted();
            var prefix = prefix(answer.reason());
            answers.merge("OK " + accepted + (prefix.isEmpty() ? "" : " " + prefix), 1L, Long::sum);
            if (!expected.contains(prefix) && (!accepted || prefix.equals("duplicate"))) {
                surprises().add("OK " + accepted + " " + prefix, example);
            }
        }

        /// The machine-readable part of a reason.
        private static String prefix(String reason) {
            int colon = reason.indexOf(':');
            return colon < 0 || reason.substring(0, colon).contains(" ") ? "" : reason.substring(0, colon);
        }

        @Override
        void ready(Connection connection, int number) {
            connection.attach(new Queue(new int[0]));
        }

        @Override
        void lost(Connection connection) {
            var queue = connection.attachment(Queue.class);
            int left = queue.events.length - queue.next + queue.unacknowledged;
            surprises().add("never acknowledged", left, "connection lost");
            unanswered -= left;
            finishIfAllAnswered();
        }
    }

    /// Prefixes as people write them, with or without the colon.
    static Set<String> prefixes(List<String> given) {
        return given.stream().map(prefix -> prefix.replace(":", "")).collect(Collectors.toSet());
    }
}
