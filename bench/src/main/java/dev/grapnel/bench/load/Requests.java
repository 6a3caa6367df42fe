package dev.grapnel.bench.load;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// Asks one question after the other on every connection: REQ, all events, EOSE, CLOSE.
///
/// @param filters the questions, asked in turn
/// @param window open requests of a connection at once
/// @param warmup how long it goes on before it counts
record Requests(
        Driver driver,
        String name,
        List<byte[]> filters,
        int connections,
        int window,
        Duration warmup,
        Duration duration,
        boolean compressed)
        implements Scenario {
    private static final byte[] REQ = "[\"REQ\",\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLOSE = "[\"CLOSE\",\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BETWEEN = "\",".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "]".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] QUOTE_END = "\"]".getBytes(StandardCharsets.US_ASCII);
    private static final int SURPRISES_MAX = 100;
    private static final double MEGA = 1e6;

    @Override
    public String title() {
        return "req: " + name + ", " + connections + " connections"
                + (window == 1 ? "" : " of " + window + " requests");
    }

    @Override
    public Outcome run(Target target, int round) throws IOException, InterruptedException {
        var surprises = new Surprises();
        var crews = driver.crews(loop -> new Readers(loop, target, surprises));
        try {
            driver.open(crews, connections);
            driver.onEach(crews, Readers::start);
            Thread.sleep(warmup);
            driver.onEach(crews, Readers::count);
            var meter = Meter.start(target);
            Thread.sleep(duration);
            driver.onEach(crews, Readers::stop);
            long requests =
                    crews.stream().mapToLong(crew -> crew.latency.count()).sum();
            var reading = meter.finish(requests, "requests");
            if (!driver.await(crews)) {
                surprises.add("no progress", "a request had no end");
            }
            driver.onEach(crews, _ -> true);
            return new Outcome(figures(crews, reading), surprises);
        } finally {
            driver.hangUp();
        }
    }

    private static Figures figures(List<Readers> crews, Meter.Reading reading) {
        var latency = new Histogram();
        long events = 0;
        long bytes = 0;
        for (var crew : crews) {
            latency.add(crew.latency);
            events += crew.events;
            bytes += crew.bytes;
        }
        var figures = new Figures()
                .put("requests/s", latency.count() / reading.seconds())
                .put("events/s", events / reading.seconds())
                .put("MB/s", bytes / reading.seconds() / MEGA)
                .put("EOSE", latency)
                .put("events per request", latency.count() == 0 ? 0 : (double) events / latency.count());
        reading.addTo(figures);
        return figures;
    }

    /// One request at a time.
    private static final class Slot {
        private byte[] id = {};
        private long sent;
        private long number;
        private boolean open;
    }

    private final class Readers extends Crew {
        private Histogram latency = new Histogram();
        private Histogram uncounted = latency;
        private long events;
        private long bytes;
        private int next;
        private boolean stopped;

        Readers(Loop loop, Target target, Surprises surprises) {
            super(loop, target, compressed, surprises);
        }

        boolean start() {
            for (var connection : connections()) {
                for (int slot = 0; slot < window; slot++) {
                    ask(connection, slot);
                }
            }
            return true;
        }

        /// What came before does not count.
        boolean count() {
            latency = new Histogram();
            events = 0;
            bytes = 0;
            return true;
        }

        /// What comes later does not count.
        boolean stop() {
            stopped = true;
            uncounted = new Histogram();
            finishIfAllAre();
            return true;
        }

        private void finishIfAllAre() {
            if (connections().stream().noneMatch(each -> each.isOpen() && isAsking(each))) {
                done().complete(true);
            }
        }

        private static boolean isAsking(Connection connection) {
            for (var slot : connection.attachment(Slot[].class)) {
                if (slot.open) {
                    return true;
                }
            }
            return false;
        }

        private void ask(Connection connection, int number) {
            if (stopped || surprises().count() > SURPRISES_MAX) {
                finishIfAllAre();
                return;
            }
            var slot = connection.attachment(Slot[].class)[number];
            slot.number++;
            slot.id = ("q" + number + "-" + slot.number).getBytes(StandardCharsets.US_ASCII);
            slot.open = true;
            slot.sent = System.nanoTime();
            connection.send(REQ, slot.id, BETWEEN, filters.get(next), END);
            next = (next + 1) % filters.size();
        }

        @Override
        void answered(Connection connection, AnswerType type, AnswerScan answer, int length, long now) {
            switch (type) {
                case EVENT -> {
                    if (!stopped) {
                        events++;
                        bytes += length;
                    }
                }
                case EOSE, CLOSED -> ended(connection, type, answer, now);
                default -> surprise(type, answer);
            }
        }

        private void ended(Connection connection, AnswerType type, AnswerScan answer, long now) {
            var slots = connection.attachment(Slot[].class);
            int number = answer.number(1);
            if (number >= slots.length || !slots[number].open || !answer.isText(slots[number].id)) {
                if (type == AnswerType.EOSE) { // some relays confirm a CLOSE, which is no harm
                    surprise(type, answer);
                }
                return;
            }
            var slot = slots[number];
            slot.open = false;
            progress();
            if (type == AnswerType.EOSE) {
                (stopped ? uncounted : latency).record(now - slot.sent);
                connection.send(CLOSE, slot.id, QUOTE_END);
            } else {
                surprise(type, answer);
            }
            ask(connection, number);
        }

        @Override
        void ready(Connection connection, int number) {
            var slots = new Slot[window];
            Arrays.setAll(slots, _ -> new Slot());
            connection.attach(slots);
            next = number % filters.size();
        }

        @Override
        void lost(Connection connection) {
            if (stopped) {
                finishIfAllAre();
            }
        }
    }
}
