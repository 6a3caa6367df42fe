package dev.grapnel.bench.sync;

import dev.grapnel.bench.purgatory.Place;
import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.bench.purgatory.Rounds;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Gate.Ruling;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/// What a received event costs that is known already, and what it costs to wake those that wait for something, with few
/// and with many in the tables (sync 8.3).
final class IntakeCosts {
    private static final int STORED = 200_000;
    private static final int BATCH = 1_000;
    private static final int ROUNDS = 15;
    private static final int LOOKS = 20_000;
    private static final int WAITERS = 100;
    private static final int KEYS = 200;

    private IntakeCosts() {}

    static void print(Path directory) throws IOException {
        Report.line("%n## Received events, µs of CPU%n");
        Report.line("| | | bound |%n|---|--:|--:|");
        known(directory);
        for (int count : new int[] {200_000, MadeUpIntake.CONFIG.coldMax() - WAITERS * KEYS * 3}) {
            wake(count);
        }
    }

    /// Events that a store of many has.
    private static void known(Path directory) throws IOException {
        try (var place = new Place(directory)) {
            var events = new ArrayList<Event>();
            for (int from = 0; from < STORED; from += BATCH) {
                var some = new ArrayList<Event>();
                for (int i = from; i < from + BATCH; i++) {
                    some.add(MadeUpIntake.comment(i, i));
                }
                place.store()
                        .write(Urgency.WAITING, 0, transaction -> {
                            some.forEach(transaction::save);
                            return true;
                        })
                        .join();
                events.addAll(some);
            }
            var made = new MadeUpIntake(new Stored(place.store()));
            var random = new Random(1);
            var micros = new double[ROUNDS];
            for (int round = -ROUNDS; round < ROUNDS; round++) {
                long begun = Report.cpuNanos();
                for (int i = 0; i < LOOKS; i++) {
                    made.receive(events.get(random.nextInt(STORED)));
                }
                micros[Math.max(0, round)] = (Report.cpuNanos() - begun) / 1e3 / LOOKS;
            }
            Report.line(
                    "| known event of %,d | %s | 5 |", STORED, Rounds.of(micros).shown(2));
            if (made.asked() > 0) {
                throw new IllegalStateException("something was not known");
            }
        }
    }

    /// Many wait for many things; a few of these come.
    private static void wake(int count) {
        var made = new MadeUpIntake(new OwnStates());
        made.rule(new Ruling.Refused(Reason.ORPHAN, false, Prefix.RESTRICTED));
        for (int i = 0; i < count; i++) {
            made.receive(MadeUpIntake.comment(i, 1_000_000L + i));
        }
        var micros = new double[ROUNDS];
        long number = count;
        for (int round = -ROUNDS; round < ROUNDS; round++) {
            for (int i = 0; i < WAITERS * KEYS / 10; i++, number++) {
                made.receive(MadeUpIntake.comment(number, i % KEYS));
            }
            made.rule(new Ruling.Stored());
            long asked = made.asked();
            var appeared = new ArrayList<Archive.Appearance>();
            for (int key = 0; key < KEYS; key++) {
                appeared.add(new Archive.Appearance(
                        EventId.parse(MadeUpIntake.id(key)).require(), Optional.empty(), List.of()));
            }
            long begun = Report.cpuNanos();
            made.intake().appeared(appeared, number, () -> {});
            made.loop().run(Duration.ofSeconds(1));
            long woken = Math.max(1, made.asked() - asked);
            micros[Math.max(0, round)] = (Report.cpuNanos() - begun) / 1e3 / woken;
            if (woken != WAITERS * KEYS / 10) {
                throw new IllegalStateException(woken + " were woken");
            }
            made.rule(new Ruling.Refused(Reason.ORPHAN, false, Prefix.RESTRICTED));
        }
        Report.line(
                "| wake one of %,d that wait, judging left out | %s | |",
                count, Rounds.of(micros).shown(2));
    }

    /// A store, asked as sync asks it.
    private record Stored(EventStore store, OwnStates rest) implements Archive {
        Stored(EventStore store) {
            this(store, new OwnStates());
        }

        @Override
        public Standing standing(EventId id) {
            return store.read(view -> view.isServed(id)) ? Standing.SERVED : Standing.UNKNOWN;
        }

        @Override
        public void items(Filter filter, int itemsMax, Consumer<ItemsOutcome> answer) {
            rest.items(filter, itemsMax, answer);
        }

        @Override
        public boolean isAnnounced(RepositoryAddress repository) {
            return false;
        }

        @Override
        public long commitNumber() {
            return store.commitNumber();
        }

        @Override
        public Runnable follow(long after, Follower follower) {
            return rest.follow(after, follower);
        }

        @Override
        public void scan(List<Integer> kinds, int sliceMax, Slices slices) {
            rest.scan(kinds, sliceMax, slices);
        }

        @Override
        public void scanTagged(char letter, List<String> values, int sliceMax, Slices slices) {
            rest.scanTagged(letter, values, sliceMax, slices);
        }

        @Override
        public List<StateAuthor> stateAuthors(RepositoryAddress repository) {
            return rest.stateAuthors(repository);
        }
    }
}
