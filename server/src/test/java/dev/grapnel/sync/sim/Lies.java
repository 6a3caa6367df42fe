package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessage.Completeness;
import dev.grapnel.nostr.message.RelayMessage.Delivery;
import dev.grapnel.nostr.message.RelayMessage.EndOfStored;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Everything a relay may do wrong (sync 10.2).
public enum Lies {
    NEVER_EOSE,
    EOSE_FIRST,
    EOSE_TWICE,
    EOSE_OF_OTHERS,
    CLOSED_AT_RANDOM,
    NOTICE_STORM,
    RATE_LIMITS,
    JUNK,
    OVERSIZED,
    WRONG_SIGNATURES,
    ALTERED_CONTENT,
    NOT_MATCHING,
    PHANTOMS,
    ENDLESS_ROUNDS,
    NEED_FLOOD,
    LIMIT_ZERO_IGNORED,
    UNTIL_IGNORED,
    CLOSE_IGNORED,
    ASCENDING,
    INFINITE_STREAM,
    SLOW_DRIP;

    private static final Duration STORM_EVERY = Duration.ofMillis(100);
    private static final Duration STREAM_EVERY = Duration.ofMillis(50);
    private static final Duration DRIP_EVERY = Duration.ofSeconds(29);
    private static final int STREAM_MAX = 500;
    private static final int PHANTOMS_COUNT = 50;
    private static final int FLOOD_COUNT = 5_000;

    /// A relay that does this; each has a state of its own.
    public Lie make() {
        return switch (this) {
            case NEVER_EOSE -> new Swallowing();
            case EOSE_FIRST -> new Hasty();
            case EOSE_TWICE ->
                saying(message -> message instanceof EndOfStored ? List.of(message, message) : List.of(message));
            case EOSE_OF_OTHERS -> new Confused();
            case CLOSED_AT_RANDOM -> new Moody();
            case NOTICE_STORM -> new Storm();
            case RATE_LIMITS -> new Grudging();
            case JUNK -> new Junk();
            case OVERSIZED -> new Oversized();
            case WRONG_SIGNATURES -> new Forger(false);
            case ALTERED_CONTENT -> new Forger(true);
            case NOT_MATCHING -> new Babbler();
            case PHANTOMS -> new Phantoms();
            case ENDLESS_ROUNDS -> new Endless(0);
            case NEED_FLOOD -> flood(FLOOD_COUNT);
            case LIMIT_ZERO_IGNORED ->
                reading(filter -> filter.limit().orElse(-1) == 0
                        ? filter.toBuilder().limit(500).build()
                        : filter);
            case UNTIL_IGNORED -> reading(Lies::withoutUntil);
            case CLOSE_IGNORED -> new Deaf();
            case ASCENDING -> new Ascending();
            case INFINITE_STREAM -> new Stream();
            case SLOW_DRIP -> new Drip();
        };
    }

    /// Names so many ids that nobody has, each time it is asked.
    public static Lie flood(int count) {
        return new Endless(count);
    }

    private interface Sayings {
        List<RelayMessage> of(RelayMessage message);
    }

    private static Lie saying(Sayings sayings) {
        return new Lie() {
            @Override
            public void say(RelayMessage message, RelaySession session) {
                sayings.of(message).forEach(session::send);
            }
        };
    }

    private interface Reading {
        Filter of(Filter filter);
    }

    private static Lie reading(Reading reading) {
        return new Lie() {
            @Override
            public Filter read(Filter filter) {
                return reading.of(filter);
            }
        };
    }

    /// There is no way to take a condition away but to begin anew.
    private static Filter withoutUntil(Filter filter) {
        var builder = Filter.builder();
        filter.ids().ifPresent(builder::ids);
        filter.authors().ifPresent(builder::authors);
        filter.kinds()
                .ifPresent(kinds ->
                        builder.kinds(kinds.stream().mapToInt(kind -> kind).toArray()));
        filter.tags().forEach(tag -> builder.tag(tag.letter(), tag.values()));
        filter.since().ifPresent(builder::since);
        filter.limit().ifPresent(builder::limit);
        return builder.build();
    }

    private static final class Swallowing implements Lie {
        @Override
        public void say(RelayMessage message, RelaySession session) {
            if (!(message instanceof EndOfStored)) {
                session.send(message);
            }
        }
    }

    /// Says that this was all, then sends it.
    private static final class Hasty implements Lie {
        private final Map<RelaySession, List<RelayMessage>> held = new LinkedHashMap<>();

        @Override
        public void say(RelayMessage message, RelaySession session) {
            switch (message) {
                case Delivery _
                when session.isAnswering() ->
                    held.computeIfAbsent(session, _ -> new ArrayList<>()).add(message);
                case EndOfStored _ -> {
                    session.send(message);
                    var late = held.remove(session);
                    if (late != null) {
                        late.forEach(session::send);
                    }
                }
                default -> session.send(message);
            }
        }
    }

    private static final class Confused implements Lie {
        @Override
        public void say(RelayMessage message, RelaySession session) {
            if (message instanceof EndOfStored) {
                session.send(new EndOfStored(new SubscriptionId("nobody"), Completeness.UNSTATED));
                session.open().stream()
                        .limit(1)
                        .forEach(other -> session.send(new EndOfStored(other, Completeness.UNSTATED)));
            }
            session.send(message);
        }
    }

    private static final class Moody implements Lie {
        private static final List<String> WORDS =
                List.of("", "error: internal error", "error: shutting down idle subscription", "closed");

        @Override
        public void connected(RelaySession session) {
            session.time().after(Duration.ofSeconds(1 + session.random().nextInt(600)), () -> {
                if (!session.isOver()) {
                    var open = session.open();
                    if (!open.isEmpty()) {
                        session.end(
                                open.get(session.random().nextInt(open.size())),
                                WORDS.get(session.random().nextInt(WORDS.size())));
                    }
                    connected(session);
                }
            });
        }
    }

    private static final class Storm implements Lie {
        private static final List<String> WORDS = List.of(
                "welcome to this relay",
                "error: database is busy",
                "invalid message",
                "please pay your membership",
                "this relay is restricted");

        @Override
        public void connected(RelaySession session) {
            session.time().after(STORM_EVERY, () -> {
                if (!session.isOver()) {
                    if (session.time().nanos() / 60_000_000_000L % 10 == 0) { // one minute in ten
                        session.send(new RelayMessage.Notice(
                                WORDS.get(session.random().nextInt(WORDS.size()))));
                    }
                    wait(session);
                }
            });
        }

        private void wait(RelaySession session) {
            if (session.time().nanos() / 60_000_000_000L % 10 == 0) {
                connected(session);
            } else {
                session.time().after(Duration.ofMinutes(1), () -> connected(session));
            }
        }
    }

    private static final class Grudging implements Lie {
        @Override
        public Optional<String> refuse(RandomGenerator random) {
            return random.nextInt(50) == 0 ? Optional.of("rate-limited: slow down there chief") : Optional.empty();
        }
    }

    private static final class Junk implements Lie {
        private static final List<String> TEXTS = List.of(
                "{\"not\":\"an array\"}",
                "[\"EVENT\"",
                "[\"EVENT\",\"h1\",{}]",
                "[\"EVENT\",\"h1\",{\"id\":\"zz\"}]",
                "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
                "[\"EOSE\",5]",
                "[\"NEG-MSG\",\"n1\",\"xyz\"]",
                "[\"HELLO\",\"world\"]",
                "");

        @Override
        public void say(RelayMessage message, RelaySession session) {
            if (session.random().nextInt(4) == 0) {
                session.sendRaw(
                        session.random().nextInt(10) == 0
                                ? Bytes.copyOf((byte) '[', (byte) '"', (byte) 0xff, (byte) 0xfe)
                                : text(TEXTS.get(session.random().nextInt(TEXTS.size()))));
            }
            session.send(message);
        }
    }

    private static final class Oversized implements Lie {
        private static final Bytes LONG = longNotice();

        private static Bytes longNotice() {
            var bytes = new byte[Hearing.MESSAGE_MAX + 100];
            Arrays.fill(bytes, (byte) 'x');
            System.arraycopy("[\"NOTICE\",\"".getBytes(StandardCharsets.UTF_8), 0, bytes, 0, 11);
            bytes[bytes.length - 2] = '"';
            bytes[bytes.length - 1] = ']';
            return Bytes.wrap(bytes);
        }

        @Override
        public void say(RelayMessage message, RelaySession session) {
            if (session.random().nextInt(100) == 0) {
                session.sendRaw(LONG);
            }
            session.send(message);
        }
    }

    /// A copy that is forged comes before each event.
    private static final class Forger implements Lie {
        private final boolean alters;

        Forger(boolean alters) {
            this.alters = alters;
        }

        @Override
        public void say(RelayMessage message, RelaySession session) {
            if (message instanceof Delivery(var id, var event)) {
                session.sendRaw(alters ? Forgery.altered(id, event) : Forgery.unsigned(id, event));
            }
            session.send(message);
        }
    }

    /// Tells of other things, too.
    private static final class Babbler implements Lie {
        @Override
        public void say(RelayMessage message, RelaySession session) {
            if (message instanceof EndOfStored(var id, var _)) {
                session.relay().shelf().find(Filter.ALL, 20).forEach(event -> session.send(new Delivery(id, event)));
            }
            session.send(message);
        }
    }

    private static final class Phantoms implements Lie {
        @Override
        public NegentropyItems items(NegentropyItems items, RandomGenerator random) {
            var more = NegentropyItems.builder(items.size() + PHANTOMS_COUNT, NegentropyItems.ITEMS_MAX);
            for (int index = 0; index < items.size(); index++) {
                more.add(items.createdAt(index), items.id(index));
            }
            for (int count = 0; count < PHANTOMS_COUNT; count++) {
                more.add(1_600_000_000L + random.nextInt(100_000_000), randomId(random));
            }
            return more.seal();
        }
    }

    private static EventId randomId(RandomGenerator random) {
        return new EventId(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    }

    /// Never agrees: says that everything differs, and names ids that do not exist before that.
    private static final class Endless implements Lie {
        private static final byte VERSION = 0x61;
        private static final int ID_BYTES = 32;
        private static final int FINGERPRINT_BYTES = 16;

        private final int ids;

        Endless(int ids) {
            this.ids = ids;
        }

        @Override
        public Optional<Bytes> reconcile(RandomGenerator random) {
            var out = new ByteArrayOutputStream();
            out.write(VERSION);
            if (ids > 0) {
                out.write(2); // up to second 1
                out.write(0);
                out.write(2); // a list of ids
                writeNumber(out, ids);
                var some = new byte[ids * ID_BYTES];
                random.nextBytes(some);
                out.writeBytes(some);
            }
            out.write(0); // up to the end of time
            out.write(0);
            out.write(1); // a fingerprint
            var fingerprint = new byte[FINGERPRINT_BYTES];
            random.nextBytes(fingerprint);
            out.writeBytes(fingerprint);
            return Optional.of(Bytes.wrap(out.toByteArray()));
        }

        private static void writeNumber(ByteArrayOutputStream out, int number) {
            if (number >= 1 << 7) {
                out.write(0x80 | number >> 7);
            }
            out.write(number & 0x7f);
        }
    }

    private static final class Deaf implements Lie {
        @Override
        public boolean heedsClose() {
            return false;
        }
    }

    private static final class Ascending implements Lie {
        @Override
        public List<Event> find(List<Event> found) {
            return found.reversed();
        }
    }

    /// Whatever is asked, there is always more of it.
    private static final class Stream implements Lie {
        @Override
        public void say(RelayMessage message, RelaySession session) {
            if (message instanceof EndOfStored(var id, var _)) {
                stream(id, session);
            } else {
                session.send(message);
            }
        }

        private void stream(SubscriptionId id, RelaySession session) {
            if (session.isOver() || !session.open().contains(id)) {
                return;
            }
            var filter = session.filters(id).getFirst();
            long now = session.time().wall().getEpochSecond();
            for (int count = 0; count < 20 && session.pending() < STREAM_MAX; count++) {
                session.sendRaw(Forgery.invented(id, filter, now, session.random()));
            }
            session.time().after(STREAM_EVERY, () -> stream(id, session));
        }
    }

    /// One event every 29 seconds, again and again.
    private static final class Drip implements Lie {
        private final Map<RelaySession, List<Delivery>> held = new LinkedHashMap<>();

        @Override
        public void say(RelayMessage message, RelaySession session) {
            switch (message) {
                case Delivery delivery
                when session.isAnswering() ->
                    held.computeIfAbsent(session, _ -> new ArrayList<>()).add(delivery);
                case EndOfStored(var id, var _) -> drip(id, session, List.copyOf(taken(id, session)), 0);
                default -> session.send(message);
            }
        }

        private List<Delivery> taken(SubscriptionId id, RelaySession session) {
            var all = held.getOrDefault(session, List.of());
            held.remove(session);
            return all.stream().filter(delivery -> delivery.id().equals(id)).toList();
        }

        private void drip(SubscriptionId id, RelaySession session, List<Delivery> drops, int next) {
            if (session.isOver() || !session.open().contains(id)) {
                return;
            }
            if (!drops.isEmpty()) {
                session.send(drops.get(next % drops.size()));
            }
            session.time().after(DRIP_EVERY, () -> drip(id, session, drops, next + 1));
        }
    }

    private static Bytes text(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
