package dev.grapnel.server.sync;

import static dev.grapnel.server.sync.StoreUnderTest.NOW;
import static dev.grapnel.server.sync.StoreUnderTest.address;
import static dev.grapnel.server.sync.StoreUnderTest.announcement;
import static dev.grapnel.server.sync.StoreUnderTest.issue;
import static dev.grapnel.server.sync.StoreUnderTest.state;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Archive.Standing;
import dev.grapnel.sync.world.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The store as sync reads it.
final class StoreArchiveTest {
    private StoreUnderTest under = new StoreUnderTest();

    @AfterEach
    void close() {
        under.close();
    }

    private Standing standing(Event event) {
        return under.onLoop(() -> under.archive.standing(event.id()));
    }

    private static Event deletion(int author, Event of) {
        return StoreSamples.event(
                author, Kinds.DELETION, NOW, List.of(List.of("e", of.id().toHex())), "");
    }

    @Test
    void whatIsKnownOfAnIdIsToldByTheIdAlone() {
        var served = issue(1, NOW, address(1, "x"));
        var deleted = issue(1, NOW - 1, address(1, "x"));
        var named = issue(1, NOW - 2, address(1, "x"));
        var held = announcement(1, NOW, "held");
        var expired = state(1, NOW, "x");
        var lifted = state(1, NOW - 1, "x");
        var gated = deletion(9, issue(9, NOW, address(1, "x")));
        under.save(served, deleted, deletion(1, deleted), deletion(2, named));
        under.hold(held, Phase.ACTIVE);
        under.write(transaction -> {
            transaction.put(row(expired, false));
            transaction.put(row(lifted, true));
            return transaction.save(gated);
        });
        assertEquals(Standing.SERVED, standing(served));
        assertEquals(Standing.DELETED, standing(deleted));
        assertEquals(Standing.UNKNOWN, standing(named)); // a stranger's word counts for nothing
        assertEquals(Standing.HELD, standing(held));
        assertEquals(Standing.EXPIRED, standing(expired));
        assertEquals(Standing.UNKNOWN, standing(lifted));
        assertEquals(Standing.GATED, standing(gated));
    }

    private ExpiredEvent row(Event event, boolean isLifted) {
        var now = under.time.instant();
        return new ExpiredEvent(event.id(), event.kind(), now, now, 0, isLifted, Optional.empty());
    }

    @Test
    void setForAComparisonIsMadeOffTheLoop() throws Exception {
        under.save(issue(1, NOW, address(1, "x")), issue(1, NOW - 1, address(1, "x")), state(1, NOW, "x"));
        var filter = Filter.builder().kinds(Kinds.ISSUE).build();
        assertEquals(2, ((ItemsOutcome.Items) items(filter, 10)).items().size());
        assertEquals(new ItemsOutcome.TooMany(1), items(filter, 1));
    }

    private ItemsOutcome items(Filter filter, int most) throws Exception {
        var answer = new CompletableFuture<ItemsOutcome>();
        under.onLoop(() -> {
            under.archive.items(filter, most, answer::complete);
            return true;
        });
        return answer.get(20, TimeUnit.SECONDS);
    }

    // ---- following

    /// One batch, as it was told.
    private record Batch(List<Mutation> mutations, List<Archive.Appearance> appeared, long upTo, Runnable taken) {}

    private static final class Batches implements Archive.Follower {
        final LinkedBlockingQueue<Batch> told = new LinkedBlockingQueue<>();
        final CompletableFuture<Long> lost = new CompletableFuture<>();

        @Override
        public void changed(List<Mutation> mutations, List<Archive.Appearance> appeared, long upTo, Runnable taken) {
            told.add(new Batch(mutations, appeared, upTo, taken));
        }

        @Override
        public void lost(long commitNumber) {
            lost.complete(commitNumber);
        }

        /// What was told until a commit is covered.
        List<Mutation> until(long number) throws InterruptedException {
            var all = new ArrayList<Mutation>();
            long reached = 0;
            while (reached < number) {
                var batch = Optional.ofNullable(told.poll(20, TimeUnit.SECONDS)).orElseThrow();
                all.addAll(batch.mutations());
                reached = batch.upTo();
                batch.taken().run();
            }
            return all;
        }
    }

    @Test
    void changesAreToldInTheOrderOfCommits() throws Exception {
        under.save(announcement(3, NOW, "before", "wss://one.example"));
        long begin = under.archive.commitNumber();
        var batches = new Batches();
        under.archive.follow(begin, batches);
        var old = announcement(1, NOW - 1, "x", "wss://one.example");
        var newer = announcement(1, NOW, "x", "wss://two.example");
        var root = issue(2, NOW, address(1, "x"));
        var reaction =
                StoreSamples.event(2, 7, NOW, List.of(List.of("e", root.id().toHex())), "+");
        var told = new ArrayList<Mutation>();
        under.host(old);
        for (var event : List.of(newer, root, reaction, state(1, NOW, "x"), deletion(2, root))) {
            told.addAll(batches.until(under.archive.commitNumber())); // what comes and goes unseen is not told
            under.save(event);
        }
        told.addAll(batches.until(under.archive.commitNumber()));
        assertEquals(
                List.of("Announced", "Announced", "RootServed", "StatesChanged", "Left"),
                told.stream()
                        .map(mutation -> mutation.getClass().getSimpleName())
                        .toList());
        var announced = (Mutation.Announced) told.get(1);
        assertEquals(newer.id(), announced.id());
        assertEquals("wss://two.example", announced.relays().getFirst().text());
    }

    @Test
    void nextBatchWaitsUntilTheLastWasTaken() throws Exception {
        var batches = new Batches();
        under.archive.follow(0, batches);
        under.save(issue(1, NOW, address(1, "x")));
        var first = Optional.ofNullable(batches.told.poll(20, TimeUnit.SECONDS)).orElseThrow();
        for (int i = 1; i <= 3; i++) {
            under.save(issue(1, NOW - i, address(1, "x")));
        }
        assertTrue(batches.told.isEmpty());
        first.taken().run();
        assertEquals(3, batches.until(under.archive.commitNumber()).size()); // all of them at once
    }

    @Test
    void everythingThatAppearsIsTold() throws Exception {
        var batches = new Batches();
        under.archive.follow(0, batches);
        var reaction = StoreSamples.event(2, 7, NOW, List.of(List.of("e", "1".repeat(64))), "+");
        under.save(reaction);
        var batch = Optional.ofNullable(batches.told.poll(20, TimeUnit.SECONDS)).orElseThrow();
        assertEquals(List.of(), batch.mutations());
        assertEquals(
                List.of(new Archive.Appearance(reaction.id(), Optional.empty(), List.of("1".repeat(64)))),
                batch.appeared());
    }

    /// An event may mention 25,000 things.
    @Test
    void batchIsBoundedByWhatItsEventsMention() throws Exception {
        var wordy = new ArrayList<Event>();
        for (int number = 0; number < 30; number++) {
            var tags = new ArrayList<List<String>>();
            for (int name = 0; name < 1_000; name++) {
                tags.add(List.of("e", "%064x".formatted(1_000L * number + name)));
            }
            wordy.add(StoreSamples.event(2, 7, NOW - number, tags, "+"));
        }
        under.save(wordy.toArray(Event[]::new));
        var batches = new Batches();
        under.archive.follow(0, batches);
        int told = 0;
        long before = 0;
        while (told < wordy.size()) {
            var batch =
                    Optional.ofNullable(batches.told.poll(20, TimeUnit.SECONDS)).orElseThrow();
            assertTrue(batch.appeared().size() <= 25, batch.appeared().size() + " at once");
            assertTrue(batch.upTo() > before);
            before = batch.upTo();
            told += batch.appeared().size();
            batch.taken().run();
        }
        assertEquals(wordy.size(), told);
        assertEquals(under.archive.commitNumber(), before);
    }

    @Test
    void whoIsTooFarBehindMustReadAnew() throws Exception {
        under.close();
        var usual = WriterConfig.DEFAULTS;
        under = new StoreUnderTest(new WriterConfig(
                usual.queueMax(),
                usual.queueBytesMax(),
                usual.batchMax(),
                usual.batchBytesMax(),
                usual.sweepEvery(),
                usual.flushEvery(),
                2));
        for (int i = 0; i < 50; i++) {
            under.save(state(1, NOW - 50 + i, "x"));
        }
        under.store.sweep().join();
        var batches = new Batches();
        under.archive.follow(1, batches);
        assertEquals(under.archive.commitNumber(), batches.lost.get(20, TimeUnit.SECONDS));
    }

    @Test
    void nothingIsToldAfterTheEnd() throws Exception {
        var batches = new Batches();
        var end = under.archive.follow(0, batches);
        under.onLoop(() -> {
            end.run();
            return true;
        });
        under.save(issue(1, NOW, address(1, "x")));
        under.onLoop(() -> true);
        assertTrue(batches.told.isEmpty());
    }

    // ---- scanning

    private static final class Found implements Archive.Slices {
        final List<Mutation> all = new ArrayList<>();
        final List<Integer> sizes = new ArrayList<>();
        final CompletableFuture<List<Mutation>> done = new CompletableFuture<>();

        @Override
        public void slice(List<Mutation> found, Runnable taken) {
            all.addAll(found);
            sizes.add(found.size());
            taken.run();
        }

        @Override
        public void done() {
            done.complete(all);
        }

        @Override
        public void failed() {
            done.completeExceptionally(new IllegalStateException("not read to its end"));
        }
    }

    @Test
    void scanFindsEverythingInSlices() throws Exception {
        int count = 6_000; // more than any question of a client is answered with
        under.write(transaction -> {
            IntStream.range(0, count)
                    .forEach(i -> transaction.save(announcement(1, NOW, "repository-" + i, "wss://one.example")));
            return true;
        });
        under.save(issue(1, NOW, address(1, "x")));
        var found = new Found();
        under.archive.scan(List.of(Kinds.ANNOUNCEMENT), 1_000, found);
        assertEquals(count, found.done.get(20, TimeUnit.SECONDS).size());
        assertTrue(found.sizes.stream().allMatch(size -> size > 0 && size <= 1_000), found.sizes.toString());
    }

    @Test
    void scanByTagFindsWhatRefersToSomething() throws Exception {
        var repository = address(1, "x");
        var root = issue(1, NOW, repository);
        var comment =
                StoreSamples.event(2, 1111, NOW, List.of(List.of("E", root.id().toHex())), "yes");
        var reply = StoreSamples.event(
                3, 1111, NOW, List.of(List.of("e", comment.id().toHex())), "no");
        var liking =
                StoreSamples.event(3, 7, NOW, List.of(List.of("e", comment.id().toHex())), "+");
        under.save(root, comment, reply, liking);
        assertEquals(List.of(root.id()), ids(tagged('a', repository.toString())));
        assertEquals(List.of(comment.id()), ids(tagged('E', root.id().toHex())));
        assertEquals(List.of(reply.id()), ids(tagged('e', comment.id().toHex(), "nonsense")));
        assertEquals(List.of(), tagged('e', "nonsense"));
    }

    private List<Mutation> tagged(char letter, String... values) throws Exception {
        var found = new Found();
        under.archive.scanTagged(letter, List.of(values), 100, found);
        return found.done.get(20, TimeUnit.SECONDS);
    }

    private static List<?> ids(List<Mutation> mutations) {
        return mutations.stream()
                .map(mutation -> switch (mutation) {
                    case Mutation.RootServed root -> root.id();
                    case Mutation.MemberServed member -> member.id();
                    case Mutation.Announced announced -> announced.id();
                    case Mutation.Left left -> left.id();
                    case Mutation.Unannounced _, Mutation.StatesChanged _ -> throw new AssertionError(mutation);
                })
                .toList();
    }

    // ---- states

    @Test
    void authorsOfStatesAreThoseWhoseWordCounts() {
        under.host(announcement(1, NOW, "x", List.of(2, 3)));
        under.save(announcement(2, NOW, "x", List.of(1)));
        under.save(state(1, NOW, "x"), state(2, NOW, "x"), state(3, NOW, "x"), state(2, NOW, "y"));
        assertEquals(
                List.of(
                        new Archive.StateAuthor("30618:" + StoreSamples.author(1) + ":x"),
                        new Archive.StateAuthor("30618:" + StoreSamples.author(2) + ":x")),
                under.onLoop(() -> under.archive.stateAuthors(address(1, "x"))));
    }
}
