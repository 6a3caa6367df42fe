package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Events that get in each other's way: few authors, few addresses, few seconds, and requests about the others.
final class RandomEvents {
    /// Authors who do everything.
    static final int AUTHORS = 4;

    /// Seconds events are dated in, from [StoreFixture#NOW] on.
    static final int SECONDS = 6;

    /// Short ones, one just kept whole, two that are hashed and differ in the end only, escapes, digits.
    static final List<String> VALUES = List.of(
            "x",
            "y",
            "",
            "X",
            "a:b",
            "ü\uD83D\uDE00",
            "v".repeat(400),
            "v".repeat(401),
            "v".repeat(400) + "w",
            "\n".repeat(300),
            "ab".repeat(32),
            "AB".repeat(32));

    private static final int[] KINDS = {1, 1, 7, 0, 10_002, 30_000, 30_000, 30_617, 30_618, 30_618, 1618, 1059};
    private static final int WRAPPERS = 10;

    private final Random random;
    private final List<Event> events = new ArrayList<>();

    RandomEvents(Random random) {
        this.random = random;
    }

    List<Event> events() {
        return events;
    }

    Event any() {
        return events.get(random.nextInt(events.size()));
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    PublicKey anyAuthor() {
        return StoreSamples.author(random.nextInt(AUTHORS));
    }

    String anyValue() {
        return oneOf(VALUES);
    }

    long anySecond() {
        return NOW + random.nextInt(SECONDS);
    }

    /// Adds so many events and about half as many requests.
    void fill(int count) {
        for (int i = 0; i < count; i++) {
            events.add(plain());
        }
        for (int i = 0; i < count / 2; i++) {
            events.add(chance(80) ? deletion() : vanish());
        }
    }

    private Event plain() {
        int kind = KINDS[random.nextInt(KINDS.length)];
        if (kind == 1 && chance(30)) {
            return StoreFixture.note(0, NOW, oneOf(oneOf(StoreFixture.TWINS)));
        }
        var tags = new ArrayList<List<String>>();
        if (kind == 1059) {
            tags.add(List.of("p", anyAuthor().toString()));
            if (chance(30)) {
                tags.add(List.of("p", anyAuthor().toString()));
            }
        } else if (kind == 30_617 || kind == 30_618) {
            tags.add(List.of("d", chance(70) ? "x" : "y"));
        } else if (kind == 1618) {
            tags.add(List.of("a", "30617:" + anyAuthor() + ":x"));
            tags.add(List.of("c", "12".repeat(20)));
        } else if (chance(70)) {
            tags.add(chance(10) ? List.of("d") : List.of("d", anyValue()));
        }
        addExtras(tags);
        int author = kind == 1059 && chance(80) ? WRAPPERS + random.nextInt(2) : random.nextInt(AUTHORS);
        return StoreSamples.event(author, kind, anySecond(), tags, "number " + events.size());
    }

    private void addExtras(List<List<String>> tags) {
        while (chance(40)) {
            tags.add(List.of(oneOf(List.of("t", "T", "d", "d", "q")), anyValue(), anyValue()));
        }
        if (chance(20) && !events.isEmpty()) {
            tags.add(List.of("e", any().id().toString()));
        }
        if (chance(15)) {
            tags.add(List.of("expiration", Long.toString(NOW + random.nextInt(20))));
        }
    }

    private Event deletion() {
        var tags = new ArrayList<List<String>>();
        int author = random.nextInt(AUTHORS + 1);
        int targets = random.nextInt(4);
        for (int i = 0; i < targets; i++) {
            tags.add(target(author));
        }
        if (chance(10)) {
            tags.add(List.of("expiration", Long.toString(NOW + random.nextInt(20))));
        }
        return StoreSamples.event(author, 5, anySecond(), tags, "number " + events.size());
    }

    private List<String> target(int author) {
        var event = chance(80) ? ownOrAny(author) : any();
        if (chance(10)) {
            return oneOf(List.of(
                    List.of("e"),
                    List.of("e", "abc"),
                    List.of("e", "%064x".formatted(random.nextInt())),
                    List.of("a", "1:" + StoreSamples.author(author) + ":x"),
                    List.of("a", "30000:" + StoreSamples.author(author)),
                    List.of("k", "1")));
        }
        if (NaiveStore.hasAddress(event) && chance(60)) {
            boolean junk = event.kind() < 30_000 && chance(50);
            return List.of("a", NaiveStore.addressOf(event) + (junk ? "junk" : ""));
        }
        return List.of("e", event.id().toString());
    }

    private Event ownOrAny(int author) {
        var key = StoreSamples.author(author);
        var own = events.stream()
                .filter(event -> event.author().equals(key)
                        || NaiveStore.valuesOf(event, "p").contains(key.toString()))
                .toList();
        return own.isEmpty() ? any() : oneOf(own);
    }

    private Event vanish() {
        var relay = chance(80) ? "ALL_RELAYS" : oneOf(List.of("wss://relay.example.com", "wss://other.example.com"));
        var tags = new ArrayList<>(List.of(List.of("relay", relay)));
        if (chance(10)) {
            tags.add(List.of("expiration", Long.toString(NOW + random.nextInt(20))));
        }
        return StoreSamples.event(random.nextInt(AUTHORS), 62, anySecond(), tags, "number " + events.size());
    }

    static boolean mayBeHeld(Event event) {
        return event.kind() == Kinds.ANNOUNCEMENT || event.kind() == Kinds.STATE || event.kind() == Kinds.PULL_REQUEST;
    }

    /// Short enough for a failure's message.
    static String describe(Event event) {
        var tags = event.tags().toString();
        return nameOf(event) + " of " + event.author().toString().substring(0, 4) + " at " + (event.createdAt() - NOW)
                + " " + tags.substring(0, Math.min(tags.length(), 300));
    }

    /// Kind and the beginning of the id; what differs is seen at a glance.
    static String nameOf(Event event) {
        return event.kind() + "-" + event.id().toString().substring(0, 12);
    }

    static List<String> namesOf(List<Event> events) {
        return events.stream().map(RandomEvents::nameOf).toList();
    }

    /// A row for an event of a kind that may be held.
    static Held row(Event event) {
        var since = Instant.ofEpochSecond(NOW);
        return switch (event.kind()) {
            case Kinds.ANNOUNCEMENT ->
                new HeldAnnouncement(event, since, since, Source.DIRECT, HeldAnnouncement.Phase.ACTIVE);
            case Kinds.STATE -> new HeldState(event, since, since, Source.SYNC);
            default -> new HeldProposal(event, since, since, Source.DIRECT, List.of());
        };
    }
}
