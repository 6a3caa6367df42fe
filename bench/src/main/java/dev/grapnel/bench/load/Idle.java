package dev.grapnel.bench.load;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import dev.grapnel.nostr.Hex;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/// Opens connections and subscriptions that match nothing, and holds them: what does one cost?
record Idle(Driver driver, int connections, int subscriptions, Duration duration, boolean compressed)
        implements Scenario {
    private static final byte[] REQ = "[\"REQ\",\"s".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BETWEEN = "\",".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "]".getBytes(StandardCharsets.US_ASCII);
    private static final double MIB = 1 << 20;
    private static final double KIB = 1 << 10;

    @Override
    public String title() {
        return String.format(Locale.ROOT, "idle, %,d connections of %,d subscriptions", connections, subscriptions);
    }

    @Override
    public Outcome run(Target target, int round) throws IOException, InterruptedException {
        var surprises = new Surprises();
        var crews = driver.crews(loop -> new Idlers(loop, target, surprises));
        try {
            var opening = Meter.start(target);
            driver.open(crews, connections);
            driver.onEach(crews, Idlers::subscribe);
            if (!driver.await(crews)) {
                surprises.add("no progress", "the relay did not answer all subscriptions");
            }
            var opened = opening.finish(connections, "connections");
            var holding = Meter.start(target);
            Thread.sleep(duration);
            var held = holding.finish(0, "");
            driver.onEach(crews, _ -> true);
            long open = crews.stream()
                    .flatMap(crew -> crew.connections().stream())
                    .filter(Connection::isOpen)
                    .count();
            return new Outcome(figures(opened, held, open), surprises);
        } finally {
            driver.hangUp();
        }
    }

    private Figures figures(Meter.Reading opened, Meter.Reading held, long open) {
        var figures = new Figures()
                .put("connections still open", open)
                .put("opening, s", opened.seconds())
                .put("connections/s", connections / opened.seconds());
        opened.before()
                .ifPresent(before -> held.after().ifPresent(after -> {
                    var full = opened.after().orElse(after);
                    figures.put("relay memory before, MiB", before.residentBytes() / MIB)
                            .put("relay memory with all open, MiB", full.residentBytes() / MIB)
                            .put("relay memory after holding, MiB", after.residentBytes() / MIB)
                            .put(
                                    "relay memory per connection, KiB",
                                    (after.residentBytes() - before.residentBytes()) / KIB / connections)
                            .put("relay CPU while opening, s", full.cpuSeconds() - before.cpuSeconds())
                            .put(
                                    "relay CPU while idle, cores",
                                    (after.cpuSeconds() - full.cpuSeconds()) / held.seconds());
                }));
        return figures;
    }

    private final class Idlers extends Crew {
        private int unanswered;

        Idlers(Loop loop, Target target, Surprises surprises) {
            super(loop, target, compressed, surprises);
        }

        boolean subscribe() {
            unanswered = connections().size() * subscriptions;
            for (var connection : connections()) {
                for (int i = 0; i < subscriptions; i++) {
                    var number = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
                    connection.send(REQ, number, BETWEEN, filter(), END);
                }
            }
            finishIfAllAnswered();
            return true;
        }

        /// What a client that looks at a repository keeps open, for one that does not exist.
        private byte[] filter() {
            var owner = new byte[32];
            ThreadLocalRandom.current().nextBytes(owner);
            return ("{\"kinds\":[1617,1618,1621],\"#a\":[\"30617:" + Hex.format(owner) + ":idle\"]}")
                    .getBytes(StandardCharsets.US_ASCII);
        }

        private void finishIfAllAnswered() {
            if (unanswered == 0) {
                done().complete(true);
            }
        }

        @Override
        void answered(Connection connection, AnswerType type, AnswerScan answer, int length, long now) {
            if (type == AnswerType.EOSE) {
                unanswered--;
                progress();
                finishIfAllAnswered();
            } else {
                surprise(type, answer);
            }
        }

        @Override
        void ready(Connection connection, int number) {
            /* subscribes when all are open */
        }

        @Override
        void lost(Connection connection) {
            /* counted as a surprise already */
        }
    }
}
