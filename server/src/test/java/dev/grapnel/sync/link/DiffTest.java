package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.link.FarRelay.Asked;
import dev.grapnel.sync.link.FarRelay.Door;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is asked is what is wanted, less what is in flight, less what is confirmed (sync R2.2 to R2.6; tests 31 to 39).
/// That the target itself is right (test 40) is shown where the index is.
final class DiffTest {
    /// Where a repository stands at a relay when everybody looks again.
    record Standing(boolean isWanted, boolean isInFlight, boolean isConfirmed) {
        boolean isNew() {
            return isWanted && !isInFlight && !isConfirmed;
        }
    }

    static Stream<Standing> allStandings() {
        return IntStream.range(0, 8).mapToObj(bits -> new Standing((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0));
    }

    /// Each may have everything packed anew, which takes its time.
    @Test
    void relaysAreLookedAtInTurnsOfTheirOwn() {
        var world = new OneRelay();
        var all = IntStream.range(0, 5)
                .mapToObj(number -> world.relay("r" + number + ".example.com"))
                .toArray(FarRelay[]::new);
        world.announce(repo(1), all).settled();
        world.notes.clear();
        var most = new AtomicInteger();
        var seen = new AtomicInteger();
        world.time.afterStep(() -> {
            int now = looked(world);
            most.accumulateAndGet(now - seen.getAndSet(now), Math::max);
        });
        world.root(7, 1).seconds(10);
        assertEquals(all.length, looked(world));
        assertEquals(1, most.get());
        Stream.of(all)
                .forEach(relay -> assertTrue(relay.liveFilters().stream()
                        .anyMatch(filter -> FarRelay.valuesOf(filter, 'e').contains(id(7).toHex()))));
    }

    private static int looked(OneRelay world) {
        return world.notes(SyncNote.Looked.class).stream()
                .mapToInt(SyncNote.Looked::relays)
                .sum();
    }

    @ParameterizedTest
    @MethodSource("allStandings")
    void onlyWhatIsWantedAndNeitherInFlightNorConfirmedIsAsked(Standing standing) {
        var world = standing(standing);
        long before = world.now();
        world.announce(3); // so that everybody looks
        world.seconds(20);
        var later = world.relay.asked(one -> one.frame().at() >= before && one.isHistoric());
        assertTrue(later.stream().anyMatch(one -> one.names(repo(3).toString())), later::toString);
        assertEquals(standing.isNew(), later.stream().anyMatch(one -> one.names(repo(1).toString())));
    }

    /// A world whose repository 1 stands like that.
    private static OneRelay standing(Standing standing) {
        var world = new OneRelay().announce(2);
        if (standing.isConfirmed()) {
            world.announce(1).settled();
        } else {
            world.settled();
        }
        if (standing.isInFlight()) {
            world.relay.servesOnly(Asked::isLive);
            if (standing.isConfirmed()) {
                world.relay.drop(); // what is confirmed is caught up
            } else {
                world.announce(1);
            }
            world.seconds(10);
        } else if (standing.isWanted() && !standing.isConfirmed()) {
            world.announce(1);
        }
        if (!standing.isWanted()) {
            world.unannounce(1);
        }
        return world;
    }

    @Test
    void lookingTwiceWithoutAChangeAsksNothing() {
        var world = new OneRelay().announce(1, 2).root(10, 1).settled();
        world.relay.forget();
        world.announce(1).root(10, 1);
        world.seconds(10);
        world.link().diff();
        world.link().diff();
        world.seconds(600);
        assertEquals(List.of(), world.relay.frames);
        assertEquals(0, world.picture().link().batches());
    }

    @Test
    void aRelayThatIsBeingDialledGetsNoWorkUntilItIsConnected() {
        var world = new OneRelay().announce(1);
        world.relay.door(Door.AJAR);
        world.start();
        world.announce(2);
        world.seconds(8);
        assertEquals(LinkState.CONNECTING, world.state());
        assertEquals(0, world.picture().link().batches());
        world.relay.door(Door.OPEN);
        world.seconds(2);
        var tags = world.relay.asked(one -> one.isHistoric() && one.letters().equals("a"));
        assertEquals(
                List.of(List.of(repo(1).toString(), repo(2).toString())),
                tags.stream().map(one -> one.values('a')).toList());
    }

    @Test
    void aRelayThatCannotBeReachedGetsNoWork() {
        var world = new OneRelay().announce(1);
        world.relay.door(Door.SHUT);
        world.start();
        world.announce(2);
        world.seconds(30);
        assertEquals(LinkState.DISCONNECTED, world.state());
        assertEquals(0, world.picture().link().batches());
    }

    @Test
    void anUnknownRelayIsRegisteredOnceForManyRepositories() {
        var world = new OneRelay().start();
        world.announceMany(50);
        world.seconds(10);
        assertEquals(List.of(new SyncNote.Registered(world.relay.url)), world.notes(SyncNote.Registered.class));
        assertEquals(1, world.relay.dials.size());
    }

    @Test
    void aRepositoryWhoseStatesAreConfirmedIsThenAskedForTagsAndRootsOnly() {
        var world = new OneRelay().hold(1).announce(2).start();
        world.seconds(60);
        assertTrue(world.relay.asked().stream().anyMatch(one -> one.values('d').contains("repo-1")));
        world.relay.forget();
        world.announce(1).root(10, 1);
        world.home.purgatory.release(repo(1));
        world.seconds(20);
        var asked = world.relay.asked();
        assertEquals(
                List.of("aAqeEq"),
                asked.stream().filter(Asked::isLive).map(Asked::letters).toList());
        assertEquals(
                List.of("a", "A", "q", "e", "E", "q"),
                asked.stream().filter(Asked::isHistoric).map(Asked::letters).toList());
    }

    @Test
    void aRepositoryWhoseStatesAreInFlightIsAskedForTagsAtOnce() {
        var world = new OneRelay().hold(1).announce(2);
        world.relay.servesOnly(one -> one.isLive() || !one.values('d').contains("repo-1"));
        world.start();
        world.seconds(20);
        world.relay.forget();
        world.announce(1);
        world.home.purgatory.release(repo(1));
        world.seconds(6);
        assertEquals(
                List.of("a", "A", "q"),
                world.relay.asked(Asked::isHistoric).stream()
                        .map(Asked::letters)
                        .toList());
    }

    @Test
    void aRootOfTwoRepositoriesIsAskedForOnce() {
        var world = new OneRelay().announce(1, 2).root(10, 1, 2).settled();
        for (char letter : "eEq".toCharArray()) {
            var naming = world.relay.asked().stream()
                    .filter(one -> one.values(letter).contains(id(10).toString()))
                    .map(Asked::role)
                    .toList();
            assertEquals(List.of('l', 'h'), naming);
            assertEquals(
                    1,
                    world.relay.liveFilters().stream()
                            .flatMap(filter -> FarRelay.valuesOf(filter, letter).stream())
                            .filter(id(10).toString()::equals)
                            .count());
        }
    }

    @Test
    void whatIsWantedNoMoreWhenItsAnswerComesIsNotConfirmed() {
        var world = new OneRelay().announce(1, 2);
        world.relay.manner(one -> world.relay.serveAfter(Duration.ofSeconds(one.isLive() ? 0 : 20), one));
        world.start();
        world.seconds(5);
        world.unannounce(1);
        world.seconds(60);
        world.relay.honest();
        world.relay.forget();
        world.announce(1);
        world.seconds(20);
        var again = world.relay.asked(Asked::isHistoric);
        assertEquals(
                List.of("d", "a", "A", "q"), again.stream().map(Asked::letters).toList());
        assertFalse(again.stream().anyMatch(one -> one.names(repo(2).toString())));
    }

    /// A world whose relay answers nothing that names this root, and what it was asked for it.
    private static List<Asked> unanswered(OneRelay world, long root) {
        world.relay.servesOnly(one -> one.isLive() || !one.names(id(root).toString()));
        world.start();
        world.seconds(10);
        return historic(world, root);
    }

    private static List<Asked> historic(OneRelay world, long root) {
        return world.relay.asked(one -> one.isHistoric() && one.names(id(root).toString()));
    }

    /// The relay answers some requests, the connection breaks, and what was not confirmed is asked for on the
    /// next.
    private static List<Asked> askedAgain(OneRelay world, List<Asked> answered, long root) {
        answered.forEach(world.relay::serve);
        world.seconds(1);
        world.relay.honest();
        world.relay.forget();
        world.relay.drop();
        world.seconds(20);
        return historic(world, root);
    }

    @Test
    void whatReturnsIsNotConfirmedByWhatWasAskedBeforeItLeft() {
        var world = new OneRelay().announce(1, 2).root(10, 1).root(20, 2);
        var before = unanswered(world, 10);
        assertEquals(3, before.size());
        world.unannounce(1);
        world.seconds(8);
        world.announce(1);
        world.seconds(8);
        assertEquals(6, historic(world, 10).size(), "asked for anew");
        assertEquals(3, askedAgain(world, before, 10).size());
        assertEquals(0, historic(world, 20).size(), "that stayed, so the answer counts");
    }

    @Test
    void whatAnotherRepositoryWasToAskForIsNotConfirmedByThat() {
        var world = new OneRelay().announce(1, 2).root(10, 1, 2);
        var before = unanswered(world, 10);
        assertEquals(3, before.size());
        world.unannounce(1);
        world.seconds(8);
        assertEquals(6, historic(world, 10).size(), "asked for anew");
        assertEquals(3, askedAgain(world, before, 10).size());
    }

    @Test
    void whatIsParkedIsNotAskedForByLaterWindows() {
        var world = new OneRelay().announce(1, 2);
        world.relay.closes(one -> one.isHistoric() && one.letters().equals("A"), "error: not today");
        world.start();
        world.seconds(10);
        assertEquals(1, world.picture().link().parked());
        world.relay.honest();
        world.relay.forget();
        for (int number = 3; number < 8; number++) {
            world.announce(number);
            world.seconds(6);
        }
        assertFalse(world.relay.asked(Asked::isHistoric).isEmpty());
        assertFalse(world.relay.asked(Asked::isHistoric).stream().anyMatch(one -> one.names(repo(1).toString())));
    }

    @Test
    void aParkedBatchOfWhichNothingIsWantedAnyMoreIsDropped() {
        var world = new OneRelay().announce(1).settled();
        world.relay.closes(one -> one.isHistoric() && one.letters().equals("A"), "error: not today");
        world.announce(2);
        world.seconds(20);
        assertEquals(1, world.picture().link().parked());
        assertEquals(LinkState.WITH_FAILURES, world.state());
        world.unannounce(2);
        world.seconds(6);
        assertEquals(0, world.picture().link().parked());
        assertEquals(LinkState.CONNECTED, world.state());
    }
}
