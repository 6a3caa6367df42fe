package dev.grapnel.server.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.Cidr;
import dev.grapnel.server.address.AddressModel.ModelClient;
import dev.grapnel.server.address.Admitted.Welcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The book does what the model says, whatever comes in whatever order.
final class AddressModelTest {
    /// Addresses and what each is counted as.
    private static final Map<String, String> ADDRESSES = Map.of(
            "192.0.2.1", "a",
            "::ffff:192.0.2.1", "a",
            "192.0.2.2", "b",
            "2001:db8::1", "c",
            "2001:db8::ffff:2", "c",
            "2001:db8:0:1::1", "d",
            "2001:db8::5", "free",
            "127.0.0.1", "local");

    private final Map<String, Integer> seen = new TreeMap<>();

    @Test
    void bookDoesWhatTheModelSays() {
        for (long seed = 0; seed < 150; seed++) {
            new Run(seed).go();
        }
        for (var outcome : List.of("Welcome", "Full", "TooManyHere", "TooFast", "granted", "refused", "abuse")) {
            assertTrue(seen.getOrDefault(outcome, 0) > 100, () -> outcome + " is rare: " + seen);
        }
    }

    /// One history.
    private final class Run {
        private final long seed;
        private final Random random;
        private final ManualNanos time = new ManualNanos();
        private final AddressLimits limits;
        private final AddressBook book;
        private final AddressModel model = new AddressModel();
        private long now;

        Run(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.limits = new AddressLimits(
                    5 + random.nextInt(10),
                    1 + random.nextInt(6),
                    Rate.perMinute(1 + random.nextInt(20), 1 + random.nextInt(5)),
                    Rate.perSecond(1 + random.nextInt(3), 1 + random.nextInt(20)),
                    Rate.perSecond(1 + random.nextInt(3), 1 + random.nextInt(5)),
                    List.of(Cidr.parse("2001:db8::5/128").require()),
                    1 + random.nextInt(3),
                    1_000);
            this.book = new AddressBook(limits, time);
        }

        void go() {
            for (int step = 0; step < 150; step++) {
                switch (random.nextInt(8)) {
                    case 0, 1 -> connect();
                    case 2 -> close();
                    case 3 -> messages(random.nextInt(12));
                    case 4 -> pass(random.nextLong(Duration.ofMillis(300).toNanos()));
                    case 5 -> pass(random.nextLong(Duration.ofSeconds(40).toNanos()));
                    case 6 -> pass(0);
                    default -> {
                        if (random.nextInt(20) == 0) {
                            flood();
                        }
                    }
                }
                assertEquals(model.figures(limits), book.figures(), where());
            }
            model.open.forEach(client -> client.client().close());
            assertEquals(new AddressFigures(0, 0, 0), book.figures(), where());
        }

        private String where() {
            return "seed " + seed + " time " + now;
        }

        private void pass(long nanos) {
            now += nanos;
            time.advance(Duration.ofNanos(nanos));
        }

        private void connect() {
            var all = new TreeMap<>(ADDRESSES).entrySet().stream().toList();
            var chosen = all.get(random.nextInt(all.size()));
            var text = chosen.getKey();
            var counted = chosen.getValue();
            boolean isExempt = counted.equals("free") || counted.equals("local");
            var expected = model.connect(limits, counted, isExempt, now);
            var outcome = book.connect(ClientAddress.parse(text).require());
            assertEquals(expected, outcome.getClass().getSimpleName(), where());
            seen.merge(expected, 1, Integer::sum);
            if (outcome instanceof Welcome(var client)) {
                model.open.add(new ModelClient(counted, isExempt, client));
            }
        }

        private void close() {
            if (!model.open.isEmpty()) {
                model.open.remove(random.nextInt(model.open.size())).client().close();
            }
        }

        private void messages(int count) {
            for (int i = 0; i < count && !model.open.isEmpty(); i++) {
                message(model.open.get(random.nextInt(model.open.size())), random.nextBoolean());
            }
        }

        private void message(ModelClient client, boolean isEvent) {
            boolean expected = isEvent ? model.mayPublish(limits, client, now) : model.mayQuery(limits, client, now);
            boolean granted =
                    isEvent ? client.client().mayPublish() : client.client().mayQuery();
            assertEquals(expected, granted, where());
            seen.merge(granted ? "granted" : "refused", 1, Integer::sum);
        }

        /// Some thirty seconds of ten times the rate, or one message less in a few of them.
        private void flood() {
            if (model.open.isEmpty()) {
                return;
            }
            var client = model.open.get(random.nextInt(model.open.size()));
            boolean isEvent = random.nextBoolean();
            long tenfold = 10 * (isEvent ? limits.events() : limits.queries()).amount();
            for (int second = 0; second < 36; second++) {
                long count = tenfold - (random.nextInt(60) == 0 ? 1 : 0);
                for (long i = 0; i < count; i++) {
                    message(client, isEvent);
                }
                boolean expected = model.isAbusive(limits, client, now);
                assertEquals(expected, client.client().isAbusive(), where());
                seen.merge(expected ? "abuse" : "no abuse", 1, Integer::sum);
                pass(Duration.ofSeconds(1).toNanos());
            }
            assertEquals(model.isAbusive(limits, client, now), client.client().isAbusive(), where());
        }
    }
}
