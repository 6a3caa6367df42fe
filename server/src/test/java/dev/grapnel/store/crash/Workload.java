package dev.grapnel.store.crash;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.table.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// An endless mix of everything a store is asked to do. Step n is the same whenever it is asked for, so a
/// writer that was killed goes on where its store says it was, and a reader knows what it must find there.
///
/// Few authors and few addresses, so that versions meet; now and then an author vanishes, so that a store stays
/// small however long it runs.
final class Workload {
    /// The second at which step 0 happens.
    static final long BEGIN = 1_700_000_000;

    /// So that a store that lives long comes to the day on which it must be compacted.
    private static final int SECONDS_PER_STEP = 20;

    static final StoreRules RULES = StoreRules.DEFAULTS.withServices(
            List.of(ServiceAddress.parse("relay.example.com", "/").require()));

    private static final int AUTHORS = 12;
    private static final int WINDOW = 80;
    private static final RepositoryAddress PROGRESS =
            new RepositoryAddress(MadeUpEvents.author(-1), new Identifier("progress"));

    private final long seed;

    Workload(long seed) {
        this.seed = seed;
    }

    /// What a step does, with how often out of a thousand.
    private enum Deed {
        NOTE(330),
        PROFILE(80),
        ARTICLE(110),
        FLEETING(50),
        HOLD(170),
        RELEASE(80),
        DROP(30),
        DELETE(50),
        GATE(15),
        VANISH(4),
        LEDGER(40),
        WITHDRAW(15),
        BAN(4),
        MIXED(20),
        FAIL(2);

        private final int share;

        Deed(int share) {
            this.share = share;
        }

        static Deed draw(SplittableRandom random) {
            int left = random.nextInt(1_000);
            for (var deed : values()) {
                left -= deed.share;
                if (left < 0) {
                    return deed;
                }
            }
            throw new IllegalStateException("the shares do not add up to a thousand");
        }
    }

    /// The second at which a step happens.
    static long second(long number) {
        return BEGIN + SECONDS_PER_STEP * number;
    }

    /// The number of the last step that is in a store; 0 in a new one.
    static long progress(StoreView view) {
        return view.findRow(Table.REPAIRS, RowKeys.repository(PROGRESS))
                .map(row -> Long.parseLong(((Repair) row).reason()))
                .orElse(0L);
    }

    Step step(long number) {
        var random = random(number);
        return switch (Deed.draw(random)) {
            case NOTE, PROFILE, ARTICLE, FLEETING -> save(number, event(number));
            case HOLD -> hold(number, event(number));
            case RELEASE -> release(number, random);
            case DROP -> drop(number, recent(number, random, Deed.HOLD, 1));
            case DELETE -> save(number, deletion(number, random));
            case GATE -> save(number, strangersDeletion(number, random));
            case VANISH -> save(number, vanish(number, random));
            case LEDGER -> ledger(number, random);
            case WITHDRAW -> withdraw(number, recent(number, random, Deed.NOTE, 1));
            case BAN -> ban(number, recent(number, random, Deed.NOTE, 1));
            case MIXED -> mixed(number, random);
            case FAIL -> fail(number);
        };
    }

    private SplittableRandom random(long number) {
        return new SplittableRandom(seed * 1_000_003 + number);
    }

    /// The event a step submits, if that is all it does.
    private Optional<Event> findEvent(long number) {
        return switch (Deed.draw(random(number))) {
            case NOTE, PROFILE, ARTICLE, FLEETING, HOLD -> Optional.of(event(number));
            case RELEASE, DROP, DELETE, GATE, VANISH, LEDGER, WITHDRAW, BAN, MIXED, FAIL -> Optional.empty();
        };
    }

    private Event event(long number) {
        var random = random(number);
        var deed = Deed.draw(random);
        var author = author(random);
        long date = second(number) + random.nextInt(-600, 600);
        return switch (deed) {
            case NOTE -> MadeUpEvents.event(author, 1, date, noteTags(random), text(random));
            case PROFILE -> MadeUpEvents.event(author, pick(random, 0, 3, 10_002), date, List.of(), text(random));
            case ARTICLE ->
                MadeUpEvents.event(
                        author,
                        pick(random, 30_023, Kinds.ANNOUNCEMENT, Kinds.STATE),
                        date,
                        List.of(List.of("d", identifier(random)), List.of("t", topic(random))),
                        text(random));
            case FLEETING -> {
                long expiry = second(number) + random.nextInt(-5_000, 30_000);
                yield MadeUpEvents.event(
                        author, 1, date, List.of(List.of("expiration", Long.toString(expiry))), text(random));
            }
            case HOLD -> waiting(author, date, random);
            case RELEASE, DROP, DELETE, GATE, VANISH, LEDGER, WITHDRAW, BAN, MIXED, FAIL ->
                throw new IllegalStateException(deed + " submits no event of its own");
        };
    }

    private static Event waiting(PublicKey author, long date, SplittableRandom random) {
        int kind = pick(random, Kinds.ANNOUNCEMENT, Kinds.STATE, Kinds.PULL_REQUEST);
        var tags = kind == Kinds.PULL_REQUEST
                ? List.of(
                        List.of("a", "30617:" + author(random) + ":" + identifier(random)),
                        List.of("c", "%040x".formatted(random.nextInt(1 << 30))))
                : List.of(List.of("d", identifier(random)));
        return MadeUpEvents.event(author, kind, date, tags, text(random));
    }

    private static List<List<String>> noteTags(SplittableRandom random) {
        var tags = new ArrayList<List<String>>();
        for (int i = random.nextInt(4); i > 0; i--) {
            tags.add(List.of("p", author(random).toHex()));
            tags.add(List.of("t", topic(random)));
        }
        if (random.nextInt(50) == 0) {
            tags.add(List.of("r", "https://example.com/" + "long/".repeat(100))); // its key is a hash
        }
        return tags;
    }

    /// Mostly short; one in forty needs pages of its own.
    private static String text(SplittableRandom random) {
        int length = random.nextInt(40) == 0 ? random.nextInt(3_000, 20_000) : random.nextInt(200);
        return Long.toHexString(random.nextLong()) + "x".repeat(length);
    }

    private static PublicKey author(SplittableRandom random) {
        return MadeUpEvents.author(random.nextInt(AUTHORS));
    }

    private static String identifier(SplittableRandom random) {
        return "project-" + random.nextInt(4);
    }

    private static String topic(SplittableRandom random) {
        return "topic-" + random.nextInt(20);
    }

    private static int pick(SplittableRandom random, int... values) {
        return values[random.nextInt(values.length)];
    }

    /// Up to so many events of steps of one sort shortly before.
    private List<Event> recent(long number, SplittableRandom random, Deed deed, int most) {
        var events = new ArrayList<Event>();
        for (int attempt = 0; attempt < 4 * WINDOW && events.size() < most; attempt++) {
            long earlier = number - 1 - random.nextInt(WINDOW);
            if (earlier >= 1 && Deed.draw(random(earlier)) == deed) {
                findEvent(earlier).filter(event -> !events.contains(event)).ifPresent(events::add);
            }
        }
        return events;
    }

    private Event deletion(long number, SplittableRandom random) {
        var deed = List.of(Deed.NOTE, Deed.ARTICLE, Deed.PROFILE, Deed.HOLD).get(random.nextInt(4));
        var targets = recent(number, random, deed, 1);
        if (targets.isEmpty()) {
            return strangersDeletion(number, random);
        }
        var target = targets.getFirst();
        var address = target.findAddress().filter(_ -> random.nextBoolean());
        var tag = address.map(found -> List.of("a", found.toString()))
                .orElse(List.of("e", target.id().toHex()));
        return MadeUpEvents.event(target.author(), Kinds.DELETION, second(number), List.of(tag), "");
    }

    /// A request of somebody who has nothing here; some of these authors come later.
    private Event strangersDeletion(long number, SplittableRandom random) {
        var stranger = MadeUpEvents.author(1_000_000 + number);
        var tag = List.of("e", MadeUpEvents.author(random.nextInt(100)).toHex());
        return MadeUpEvents.event(stranger, Kinds.DELETION, second(number), List.of(tag), "");
    }

    private Event vanish(long number, SplittableRandom random) {
        return MadeUpEvents.event(
                author(random),
                Kinds.VANISH,
                second(number) - 3_000,
                List.of(List.of("relay", "wss://relay.example.com")),
                "");
    }

    private static Step step(long number, List<Event> submitted, List<EventId> leaving, StoreWork<String> work) {
        return new Step(number, submitted, leaving, transaction -> {
            var outcome = work.run(transaction);
            var now = Instant.ofEpochSecond(second(number));
            transaction.put(new Repair(PROGRESS, now, 1, now, Long.toString(number)));
            return outcome;
        });
    }

    private static Step save(long number, Event event) {
        return step(number, List.of(event), List.of(), transaction -> brief(transaction.save(event)));
    }

    private static Step hold(long number, Event event) {
        return step(number, List.of(event), List.of(), transaction -> brief(transaction.hold(held(number, event))));
    }

    private Step release(long number, SplittableRandom random) {
        var events = recent(number, random, Deed.HOLD, 4);
        return step(number, List.of(), List.of(), transaction -> {
            var outcomes = new ArrayList<String>();
            for (var event : events) {
                outcomes.add(releaseIfHeld(transaction, event));
            }
            return String.join("+", outcomes);
        });
    }

    private static String releaseIfHeld(StoreTransaction transaction, Event event) {
        return transaction.findHeld(event.id()).isPresent() ? brief(transaction.release(event.id())) : "gone";
    }

    private static Step drop(long number, List<Event> events) {
        return step(number, List.of(), idsOf(events), transaction -> {
            long dropped = events.stream()
                    .filter(event -> transaction.drop(event.id()).isPresent())
                    .count();
            return "dropped" + dropped;
        });
    }

    private static Step withdraw(long number, List<Event> events) {
        return step(number, List.of(), idsOf(events), transaction -> {
            long withdrawn = events.stream()
                    .filter(event -> transaction.withdraw(event.id()))
                    .count();
            return "withdrawn" + withdrawn;
        });
    }

    private static Step ban(long number, List<Event> events) {
        return step(number, List.of(), idsOf(events), transaction -> {
            events.forEach(event -> transaction.ban(event.id(), "step " + number));
            return "banned";
        });
    }

    private static Step ledger(long number, SplittableRandom random) {
        var repository = new RepositoryAddress(author(random), new Identifier(identifier(random)));
        boolean removes = random.nextInt(3) == 0;
        var now = Instant.ofEpochSecond(second(number));
        return step(number, List.of(), List.of(), transaction -> {
            if (removes) {
                return "removed " + transaction.remove(Table.REPAIRS, RowKeys.repository(repository));
            }
            transaction.put(new Repair(repository, now, 3, now, "step " + number));
            return "put";
        });
    }

    /// An announcement that is served together with what waited for it.
    private Step mixed(long number, SplittableRandom random) {
        var waiting = recent(number, random, Deed.HOLD, 3);
        var announcement = MadeUpEvents.event(
                author(random),
                Kinds.ANNOUNCEMENT,
                second(number),
                List.of(List.of("d", identifier(random))),
                text(random));
        return step(number, List.of(announcement), List.of(), transaction -> {
            var outcomes = new ArrayList<String>();
            outcomes.add(brief(transaction.save(announcement)));
            waiting.forEach(event -> outcomes.add(releaseIfHeld(transaction, event)));
            return String.join("+", outcomes);
        });
    }

    /// Breaks off after it has changed something: nothing of it may be seen.
    private static Step fail(long number) {
        var event = MadeUpEvents.event(MadeUpEvents.author(0), 1, second(number), List.of(), "never");
        return new Step(number, List.of(), List.of(), transaction -> {
            transaction.save(event);
            throw new IllegalStateException("step " + number + " fails");
        });
    }

    private static List<EventId> idsOf(List<Event> events) {
        return events.stream().map(Event::id).toList();
    }

    private static Held held(long number, Event event) {
        var since = Instant.ofEpochSecond(second(number));
        var until = since.plus(Duration.ofMinutes(30));
        return switch (event.kind()) {
            case Kinds.ANNOUNCEMENT ->
                new HeldAnnouncement(event, since, until, Source.DIRECT, HeldAnnouncement.Phase.ACTIVE);
            case Kinds.STATE -> new HeldState(event, since, until, Source.SYNC);
            default -> new HeldProposal(event, since, until, Source.DIRECT, List.of());
        };
    }

    private static String brief(SaveOutcome outcome) {
        return switch (outcome) {
            case SaveOutcome.Served(var served, var removed, var dropped) ->
                "served" + served + "-" + removed + "-" + dropped.size();
            case SaveOutcome.Waiting(var replaced) -> "held-" + replaced.size();
            case SaveOutcome.Gated() -> "gated";
            case SaveOutcome.Known _ -> "known";
            case SaveOutcome.Refused(var refusal, var _) -> "refused:" + refusal.prefix();
        };
    }
}
