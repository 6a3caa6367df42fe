package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.link.FarRelay.Asked;
import dev.grapnel.sync.world.Mutation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// When live filters are packed anew, and how nothing is lost meanwhile (sync 3.4; tests 45 and 49 to 52).
final class ConsolidationTest {
    /// A settled world with 68 live filters in many small groups, where one more root makes 71.
    private static OneRelay crowded() {
        var world = new OneRelay().announce(1);
        world.relay.subscriptionsMax(200);
        world.settled();
        for (int number = 1; number <= 21; number++) {
            world.root(number, 1);
            world.seconds(6);
        }
        world.seconds(60);
        assertEquals(68, world.relay.liveFilters().size());
        return world;
    }

    /// Serves the root that is one too many, and waits until filters are packed anew.
    private static long consolidate(OneRelay world) {
        long before = world.now();
        world.root(22, 1);
        world.seconds(5);
        return before;
    }

    private static List<String> consolidations(OneRelay world) {
        return world.linkNotes(LinkNote.Consolidated.class).stream()
                .map(note -> note.result() + " " + note.before() + " " + note.after())
                .toList();
    }

    @Test
    void everythingIsPackedIntoFewFilters() {
        var world = crowded();
        assertEquals(List.of(), consolidations(world));
        consolidate(world);
        world.seconds(10);
        assertEquals(List.of("done 68 8"), consolidations(world));
        assertEquals(8, world.relay.liveFilters().size());
        assertEquals(2, world.relay.liveIds().size());
    }

    /// Test 17.
    @Test
    void aRootThatWasDeletedIsStreamedNoMoreAfterwards() {
        var world = crowded();
        world.home.serve(new Mutation.Left(OneRelay.id(5)));
        world.seconds(20);
        assertEquals(List.of(), consolidations(world), "one value is not worth it");
        consolidate(world);
        world.seconds(10);
        var streamed = world.relay.liveFilters().stream()
                .flatMap(filter -> FarRelay.valuesOf(filter, 'e').stream())
                .toList();
        assertEquals(21, streamed.size());
        assertFalse(streamed.contains(OneRelay.id(5).toString()));
    }

    @Test
    void announcementsKeepTheirSubscription() {
        var world = crowded();
        var before = world.relay.liveIds().getFirst();
        long from = consolidate(world);
        world.seconds(10);
        assertEquals(before, world.relay.liveIds().getFirst());
        assertEquals('a', before.charAt(0));
        assertFalse(world.relay.closedSince(from).contains(before));
        assertTrue(world.relay.askedSince(from).stream().noneMatch(one -> one.role() == 'a'));
    }

    @Test
    void newGroupsAreOpenBeforeOldOnesAreClosed() {
        var world = crowded();
        var old = List.copyOf(
                world.relay.liveIds().subList(1, world.relay.liveIds().size()));
        world.relay.servesOnly(one -> !one.isLive()); // so the new group is taken to be open after five seconds
        long from = consolidate(world);
        assertTrue(world.relay.liveIds().containsAll(old));
        world.seconds(4.9);
        assertTrue(world.relay.liveIds().containsAll(old));
        world.seconds(0.2);
        assertEquals(2, world.relay.liveIds().size());
        assertTrue(world.relay.closedSince(from).containsAll(old));
        assertTrue(world.relay.askedSince(from).stream().noneMatch(Asked::isCatchUp), "there was no gap");
    }

    /// Ten subscriptions, seven of them live and full of filters.
    private static OneRelay fullLedger() {
        var world = new OneRelay().announce(1).roots(1_000, 300, 1);
        world.relay.subscriptionsMax(10);
        world.settled();
        for (int number = 1; world.relay.liveIds().size() < 7; number++) {
            world.root(number, 1);
            world.seconds(6);
        }
        assertEquals(List.of(), consolidations(world));
        world.run(Duration.ofMinutes(2));
        return world;
    }

    @Test
    void withoutRoomForBothGroupsAreReplacedInPlaceAndCaughtUp() {
        var world = fullLedger();
        var old = List.copyOf(world.relay.liveIds());
        long from = world.now();
        world.root(99, 1);
        world.seconds(5);
        long at = world.wall();
        world.seconds(20);
        assertEquals(1, consolidations(world).size());
        var live = world.relay.askedSince(from).stream().filter(Asked::isLive).toList();
        assertEquals(2, live.size());
        assertTrue(live.stream().allMatch(one -> old.contains(one.id().text())), live::toString);
        assertEquals(3, world.relay.liveIds().size());
        assertCaughtUp(world, from, at - 900);
        assertTrue(world.relay.mostOpen <= 8, () -> world.relay.mostOpen + " open");
    }

    /// Whether everything that is streamed but announcements was asked for from a moment on.
    private static void assertCaughtUp(OneRelay world, long from, long since) {
        var missed =
                world.relay.askedSince(from).stream().filter(Asked::isCatchUp).toList();
        var streamed = world.relay.liveFilters().stream()
                .filter(filter -> !filter.tags().isEmpty())
                .map(filter ->
                        filter.toBuilder().limit(500).since(since).build().toString())
                .sorted()
                .toList();
        assertEquals(
                streamed,
                missed.stream()
                        .flatMap(one -> one.filters().stream())
                        .map(Object::toString)
                        .sorted()
                        .toList());
    }

    /// Whether everything that was opened was asked for afterwards, from a moment on.
    private static void assertCaughtUpOnceOpen(OneRelay world, long from, long since) {
        var opened = world.relay.askedSince(from).stream()
                .filter(one ->
                        one.isLive() && world.relay.liveIds().contains(one.id().text()))
                .toList();
        assertEquals(2, opened.size());
        for (var group : opened) {
            var missed = group.filters().stream()
                    .map(filter ->
                            filter.toBuilder().limit(500).since(since).build().toString())
                    .toList();
            var asked = world.relay.askedSince(group.frame().at()).stream()
                    .filter(Asked::isCatchUp)
                    .flatMap(one -> one.filters().stream())
                    .map(Object::toString)
                    .toList();
            assertTrue(asked.containsAll(missed), () -> asked + " lacks some of " + missed);
        }
    }

    @Test
    void aRelayThatReplacesNothingInPlaceGetsNewGroupsAndIsCaughtUp() {
        var world = fullLedger();
        var old = List.copyOf(
                world.relay.liveIds().subList(1, world.relay.liveIds().size()));
        long from = world.now();
        var beside = new ArrayList<String>();
        world.relay.manner(one -> {
            if (one.isLive() && old.contains(one.id().text())) {
                world.relay.close(one.id(), "error: duplicate subscription identifier");
            } else {
                beside.addAll(one.isLive() ? world.relay.liveIds() : List.of());
                world.relay.serve(one);
            }
        });
        world.root(99, 1);
        world.seconds(5);
        long at = world.wall();
        world.seconds(30);
        var ids = world.relay.liveIds();
        assertEquals(3, ids.size());
        assertTrue(ids.stream().noneMatch(old::contains), ids::toString);
        assertTrue(beside.stream().noneMatch(old::contains), "first closed, then opened");
        assertCaughtUpOnceOpen(world, from, at - 900);
        assertEquals(
                List.of(OptionalLong.of(at - 900)),
                world.relay.askedSince(from).stream()
                        .filter(Asked::isCatchUp)
                        .map(Asked::since)
                        .distinct()
                        .toList());
        var event = event(1, world.wall(), "e", id(99).toString());
        world.relay.publish(event);
        world.seconds(1);
        assertTrue(world.home.has(event));
    }

    @Test
    void whatAClosedGroupMissedIsAskedForWhenItIsReplacedInPlace() {
        var world = fullLedger();
        var last = world.relay.liveIds().getLast();
        var root = world.relay
                .asked(one -> one.id().text().equals(last))
                .getLast()
                .values('e')
                .getFirst();
        world.relay.close(new SubscriptionId(last), "restricted: not that");
        world.run(Duration.ofHours(1));
        var missed = event(1, world.wall(), "e", root);
        world.relay.publish(missed);
        world.run(Duration.ofHours(2));
        assertFalse(world.home.has(missed));
        world.root(98, 1);
        world.seconds(6);
        world.root(99, 1);
        world.seconds(30);
        assertEquals(1, consolidations(world).size());
        assertTrue(world.home.has(missed));
    }

    @Test
    void whatAGroupMissedThatIsRefusedSinceAnEarlierConnectionIsAskedForWhenAllIsPackedAnew() {
        var world = new OneRelay().announce(1).root(99, 1);
        world.relay.subscriptionsMax(200);
        world.relay.closes(one -> one.role() == 'l' && one.names(id(99).toString()), "restricted: not that");
        world.settled();
        world.relay.honest();
        world.relay.drop();
        world.run(Duration.ofHours(1));
        assertEquals(1, world.relay.liveIds().size(), "refused for a day");
        var missed = event(1, world.wall(), "e", id(99).toString());
        world.relay.publish(missed);
        world.run(Duration.ofHours(2));
        for (int number = 1; number <= 23; number++) {
            world.root(number, 1);
            world.seconds(6);
        }
        world.seconds(30);
        assertEquals(1, consolidations(world).size(), consolidations(world)::toString);
        assertTrue(world.home.has(missed));
    }

    @Test
    void withoutBytesForBothGroupsAreReplacedInPlaceAndCaughtUp() {
        var world = new OneRelay().announce(1).roots(1_000, 3_000, 1);
        world.relay.subscriptionsMax(200);
        world.settled();
        world.relay.close(
                new SubscriptionId(world.relay.liveIds().getLast()),
                "rate-limited: active subscriptions exceed max size 1000000 bytes");
        world.run(Duration.ofMinutes(3));
        int number = 1;
        for (; world.relay.liveFilters().size() < 68; number++) {
            world.root(number, 1);
            world.seconds(6);
        }
        world.run(Duration.ofMinutes(2));
        int before = consolidations(world).size();
        var old = List.copyOf(world.relay.liveIds());
        long from = world.now();
        world.root(number, 1);
        world.seconds(5);
        long at = world.wall();
        world.seconds(60);
        assertEquals(before + 1, consolidations(world).size());
        assertTrue(world.relay.askedSince(from).stream()
                .filter(Asked::isLive)
                .allMatch(one -> old.contains(one.id().text())));
        assertCaughtUp(world, from, at - 900);
    }

    @Test
    void workInFlightNeitherWaitsNorIsCancelled() {
        var world = crowded();
        world.relay.servesOnly(Asked::isLive);
        world.hold(2);
        world.seconds(8);
        var inFlight =
                world.relay.asked(one -> one.isHistoric() && one.values('d').contains("repo-2"));
        assertEquals(1, inFlight.size());
        assertEquals(List.of(), consolidations(world));
        long from = consolidate(world);
        assertEquals(List.of("done 69 8"), consolidations(world), "it does not wait");
        world.seconds(20);
        assertFalse(
                world.relay.closedSince(from).contains(inFlight.getFirst().id().text()));
        world.relay.honest();
        world.relay.askedSince(inFlight.getFirst().frame().at()).stream()
                .filter(Asked::isHistoric)
                .forEach(world.relay::serve);
        world.seconds(60);
        assertEquals(0, world.picture().link().batches(), "its answer counts");
        assertEquals(
                1,
                world.relay
                        .asked(one -> one.isHistoric() && one.values('d').contains("repo-2"))
                        .size());
    }

    @Test
    void anEventThatComesByOldAndNewGroupsIsJudgedOnce() {
        var world = crowded();
        consolidate(world);
        var event = event(1, world.wall(), "e", id(7).toString());
        long listening = world.relay.connection().open.values().stream()
                .filter(filters -> filters.stream().anyMatch(filter -> filter.matches(event)))
                .count();
        assertEquals(2, listening);
        world.relay.publish(event);
        world.seconds(10);
        assertEquals(1, world.home.timesAdmitted(event));
        assertTrue(world.home.has(event));
    }

    @Test
    void anEventOfLongAgoIsStillStreamedAfterwards() {
        var world = crowded();
        consolidate(world);
        world.seconds(30);
        var event = event(1621, 1_500_000_000, "a", repo(1).toString());
        world.relay.publish(event);
        world.seconds(1);
        assertTrue(world.home.has(event));
    }

    @Test
    void groupsThatFindNoSlotWaitForOne() {
        var world = new OneRelay().announceMany(150).roots(1_000, 150, 1);
        world.relay.subscriptionsMax(10);
        world.relay.manner(one -> {
            if (one.filters().size() > 3) {
                world.relay.close(one.id(), "error: too many filters");
            } else {
                world.relay.serveAfter(Duration.ofSeconds(one.isLive() ? 0 : 8), one);
            }
        });
        world.start();
        world.seconds(20);
        assertEquals(6, world.relay.liveIds().size(), "requests leave their slots to what waits");
        assertTrue(world.picture().link().batches() > 0);
        world.run(Duration.ofMinutes(5));
        assertTrue(world.relay.mostOpen <= 8, () -> world.relay.mostOpen + " open");
        assertEquals(
                2,
                Objects.requireNonNull(world.picture().learned().get(Trait.FILTERS))
                        .value());
        var letters = new TreeSet<Character>();
        world.relay.liveFilters().forEach(filter -> filter.tags().forEach(tag -> letters.add(tag.letter())));
        assertEquals(List.of('A', 'E', 'a', 'd', 'e'), List.copyOf(letters), "what fits");
        var event = event(1, world.wall(), "e", id(1_149).toString());
        world.relay.publish(event);
        world.seconds(1);
        assertTrue(world.home.has(event));
    }

    @Test
    void aSecondReasonWithinAMinuteWaits() {
        var world = fullLedger();
        var times = new ArrayList<Long>();
        for (int second = 0; second < 300; second++) {
            if (second % 6 == 0) {
                world.root(100 + second, 1);
            }
            long before = done(world);
            world.seconds(1);
            if (done(world) > before) {
                times.add(world.now() / 1_000_000_000);
            }
        }
        assertTrue(times.size() >= 3, times::toString);
        for (int i = 1; i < times.size(); i++) {
            assertTrue(times.get(i) - times.get(i - 1) >= 60, times::toString);
        }
        assertTrue(world.linkNotes(LinkNote.Consolidated.class).stream()
                .anyMatch(note -> note.result().equals("merged")));
        world.seconds(80);
        assertTrue(world.relay
                        .asked(one -> one.isHistoric() && one.names(id(394).toString()))
                        .size()
                == 3);
    }

    @Test
    void whatWaitsToBeStreamedIsNotAskedForBefore() {
        var world = fullLedger();
        world.root(99, 1);
        world.seconds(6);
        assertEquals(1, done(world));
        for (int number = 100; !world.link().plan().isWaiting(); number++) {
            world.root(number, 1);
            world.seconds(6);
        }
        long root = 200;
        long comment = 300;
        world.root(root, 1).comment(comment, 99);
        world.seconds(6);
        assertEquals(1, done(world), "all wait");
        assertTrue(world.link().beginDaily());
        world.seconds(5);
        assertEquals(List.of(), world.relay.asked(one -> one.names(id(root).toString())));
        assertEquals(List.of(), world.relay.asked(one -> one.names(id(comment).toString())));
        world.run(Duration.ofMinutes(2));
        for (long number : new long[] {root, comment}) {
            var asked = world.relay.asked(one -> one.names(id(number).toString()));
            assertTrue(asked.getFirst().isLive(), asked::toString);
            assertTrue(asked.stream().anyMatch(Asked::isHistoric), asked::toString);
        }
    }

    /// R4.29.
    @Test
    void whatWaitsToBeStreamedWaitsForTheEndOfACooldownToo() {
        var world = fullLedger();
        int number = 100;
        while (!new LinkWindow(world.link()).isWaiting() && number < 200) {
            world.root(++number, 1);
            world.seconds(6);
        }
        world.relay.notice("rate-limited: slow down");
        world.seconds(0.1);
        long from = world.now();
        world.seconds(64);
        assertEquals(List.of(), world.relay.askedSince(from));
        world.seconds(10);
        var last = id(number).toString();
        assertTrue(world.relay.askedSince(from).stream().anyMatch(one -> one.isLive() && one.names(last)));
        assertTrue(world.relay.askedSince(from).stream().anyMatch(one -> one.isHistoric() && one.names(last)));
    }

    /// A settled world with two repositories of one name, and so many others that share theirs with a third.
    private static OneRelay namesakes(int pairs) {
        var world = new OneRelay();
        for (int number = 1; number <= pairs; number++) {
            world.announce(repo(number, "common-" + number), world.relay)
                    .announce(repo(1_000 + number, "common-" + number), world.relay);
        }
        return world;
    }

    @Test
    void anIssueThatIsGoneIsNoReasonToPackEverythingWhereNamesAreShared() {
        var world = namesakes(1);
        for (int number = 1; number <= 20; number++) {
            world.home.serve(new Mutation.RootServed(id(number), 1_000 + number, List.of(repo(1, "common-1"))));
        }
        world.settled();
        for (int number = 1; number <= 4; number++) {
            world.home.serve(new Mutation.Left(id(number)));
            world.run(Duration.ofMinutes(2));
        }
        assertEquals(List.of(), consolidations(world));
    }

    @Test
    void repositoriesThatLeaveOthersOfTheirNameAreTakenOutTogetherOnceAMinute() {
        var world = namesakes(20).settled();
        long from = world.now();
        for (int number = 1; number <= 20; number++) {
            world.home.serve(new Mutation.Unannounced(repo(number, "common-" + number)));
            world.seconds(6);
        }
        world.run(Duration.ofMinutes(2));
        assertTrue(done(world) >= 2 && done(world) <= 4, consolidations(world)::toString);
        assertTrue(
                world.relay.askedSince(from).stream().filter(Asked::isLive).count() <= 4,
                consolidations(world)::toString);
        var streamed = world.relay.liveFilters().stream()
                .flatMap(filter -> FarRelay.valuesOf(filter, 'a').stream())
                .toList();
        assertFalse(streamed.contains(repo(20, "common-20").toString()));
        assertTrue(streamed.contains(repo(1_020, "common-20").toString()));
    }

    private static long done(OneRelay world) {
        return consolidations(world).stream()
                .filter(text -> text.startsWith("done"))
                .count();
    }

    @Test
    void aSlotForRequestsIsLeftWhileOldAndNewGroupsAreOpen() {
        var world = new OneRelay().announce(1);
        world.relay.subscriptionsMax(10);
        world.settled();
        for (int number = 1; world.relay.liveIds().size() < 7; number++) {
            world.root(number, 1);
            world.seconds(6);
        }
        world.run(Duration.ofMinutes(2));
        world.root(99, 1);
        for (int step = 0; step < 40; step++) {
            world.seconds(0.5);
            int live = world.relay.liveIds().size();
            assertTrue(live <= 7, () -> live + " are streamed, and eight may be open in all");
        }
        assertEquals(1, consolidations(world).size());
    }
}
