package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.oid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.url.Host;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Anybody may announce the identifier of somebody else, or propose to a repository: whatever URLs strangers add, and
/// however those behave, what the owner names is asked.
final class StrangersTest {
    private static final String GOOD = "https://good.example/x.git";
    private static final int OWNER = 1000;

    private final Huntsman man = new Huntsman();

    /// @param number of a stranger
    /// @param count of the URLs they name, each of another domain
    private ScriptedWorld.Waiting stranger(int number, int count, Failure how) {
        var urls = IntStream.range(0, count)
                .mapToObj(url -> "https://s" + number + "-" + url + ".example/x.git")
                .toArray(String[]::new);
        for (var url : urls) {
            man.world.server(url).fails(how);
        }
        return man.world.waits(id("x"), List.of(oid(number)), urls).by(number);
    }

    private ScriptedWorld.Waiting owner(String... urls) {
        return man.world.waits(id("x"), List.of(oid(OWNER)), urls).by(OWNER);
    }

    private List<Long> timesOf(String url) {
        return man.world.calls("visit").stream()
                .filter(call -> call.url().equals(url))
                .map(ScriptedWorld.Call::at)
                .toList();
    }

    /// Row 118: wherever the owner's event stands among ten others with twenty dead URLs each, it is served in the
    /// first
    /// two attempts.
    @Test
    void ownersUrlIsAskedWhateverStrangersName() {
        var chance = new SplittableRandom(1);
        for (var how : List.of(new Failure.NotThere(), new Failure.Passing())) {
            for (int seed = 0; seed < 5; seed++) {
                var one = new StrangersTest();
                int place = chance.nextInt(11);
                for (int i = 0; i <= 10; i++) {
                    if (i == place) {
                        one.owner("https://dead.example/x.git", GOOD);
                    } else {
                        one.stranger(i, 20, how);
                    }
                }
                one.man.world.server(GOOD).has(oid(OWNER));
                one.man.synced(id("x"));
                one.man.seconds(30);
                assertEquals(1, one.man.world.released.size(), "place " + place);
                assertTrue(one.man.starts.size() <= 2);
            }
        }
    }

    /// Row 118: with more strangers than an attempt has room for, and new ones before every attempt, it takes longer,
    /// and is bounded by those who came before.
    @Test
    void nobodyIsOvertakenByThoseWhoComeLater() {
        for (int i = 0; i < 120; i++) {
            stranger(i, 3, new Failure.NotThere());
        }
        owner(GOOD);
        man.world.server(GOOD).has(oid(OWNER));
        man.synced(id("x"));
        man.seconds(2);
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 60; i++) {
                int number = 2000 + (60 * round) + i;
                var late = stranger(number, 3, new Failure.NotThere());
                var all = man.world.waiting.get(id("x"));
                if (all != null) { // newer states come first
                    all.remove(late);
                    all.addFirst(late);
                }
            }
            man.synced(id("x"));
            man.seconds(20);
        }
        assertEquals(1, man.world.released.size());
        assertTrue(timesOf(GOOD).getFirst() <= 60_000, () -> timesOf(GOOD).toString());
    }

    /// Row 118: data of a served event that was lost is looked for beside all that.
    @Test
    void repairsHaveTheirTurnToo() {
        for (int i = 0; i < 10; i++) {
            stranger(i, 20, new Failure.NotThere());
        }
        owner(GOOD).served();
        man.world.server(GOOD).has(oid(OWNER));
        man.synced(id("x"));
        man.seconds(5);
        assertEquals(1, timesOf(GOOD).size());
        assertEquals(10, man.world.waiting.getOrDefault(id("x"), List.of()).size());
    }

    /// @param names of as many URLs, each of another domain
    private void drips(String identifier, int author, String... names) {
        int number = 5000 + author;
        var urls = Stream.of(names)
                .map(name -> "https://" + name + ".example/x.git")
                .toArray(String[]::new);
        for (var url : urls) {
            man.world.server(url).has(oid(number)).drips();
        }
        man.world.waits(id(identifier), List.of(oid(number)), urls).by(author);
        man.synced(id(identifier));
    }

    /// Row 204: two slow servers of a stranger keep nobody from being served who has nothing to do with them.
    @Test
    void ownerDoesNotWaitForTheSlowServersOfAStranger() {
        drips("x", 2, "s1", "s2", "s3");
        man.seconds(40);
        assertEquals(2, man.world.talking());
        owner(GOOD);
        man.world.server(GOOD).has(oid(OWNER));
        man.synced(id("x"));
        man.seconds(30);
        assertEquals(List.of("61000 x#2"), man.world.released);
        man.seconds(1000);
        assertEquals(2, man.world.talking(), "one hedge for the same objects");
        assertEquals(3, man.world.calls("visit").size());
        assertEquals(1, man.notes(HuntNote.Hedged.class).size());
    }

    /// Row 204: the same without hedges.
    @Test
    void ownerDoesNotWaitWhereNothingIsHedged() {
        var d = HuntConfig.DEFAULTS;
        man.hunt.change(new HuntConfig(
                true,
                d.loopEvery(),
                d.delays(),
                d.limits(),
                d.guesses(),
                d.expiry(),
                d.refreshEvery(),
                d.dormantEvery(),
                d.attemptLimit(),
                Duration.ZERO));
        drips("x", 2, "s1", "s2");
        man.seconds(40);
        owner(GOOD);
        man.world.server(GOOD).has(oid(OWNER));
        man.synced(id("x"));
        man.seconds(30);
        assertEquals(List.of("61000 x#2"), man.world.released);
        assertEquals(1, man.world.talking());
    }

    /// Row 204: with a lane for each of four strangers the oldest gives way, which is no failure of its server.
    @Test
    void slowFetchGivesWayWhenNoLaneIsLeft() {
        for (int author = 1; author <= 6; author++) {
            drips("x", author, "s" + author);
        }
        int most = 0;
        for (int second = 0; second < 115; second++) {
            man.seconds(1);
            most = Math.max(most, man.world.talking());
        }
        assertEquals(4, most);
        owner(GOOD);
        man.world.server(GOOD).has(oid(OWNER));
        man.synced(id("x"));
        man.seconds(120);
        assertEquals(1, man.world.released.size());
        assertEquals(List.of(), man.notes(HuntNote.Failed.class));
        assertTrue(man.world.talking() <= 4);
    }

    /// Row 204: nobody gives way as long as nobody waits.
    @Test
    void slowFetchGoesOnWhileNobodyWaits() {
        for (int author = 1; author <= 4; author++) {
            drips("x", author, "s" + author, "t" + author);
        }
        man.seconds(3500);
        assertEquals(List.of(), man.notes(HuntNote.Visited.class));
        assertEquals(4, man.world.talking());
        man.seconds(200);
        assertEquals(4, man.world.released.size());
    }

    /// Row 204: what the owner publishes while a stranger's slow server is asked may be where it was looked for before.
    @Test
    void urlIsAskedAgainForANewEventWhileASlowFetchGoesOn() {
        owner(GOOD);
        man.world.server(GOOD).has(oid(OWNER));
        drips("x", 2, "s1");
        man.seconds(10);
        assertEquals(1, man.world.released.size());
        man.world.waits(id("x"), List.of(oid(OWNER + 1)), GOOD).by(OWNER);
        man.world.server(GOOD).has(oid(OWNER + 1));
        man.synced(id("x"));
        man.seconds(30);
        assertEquals(2, man.world.released.size());
    }

    /// Row 171: whoever waits because all places are taken gets that of a slow one, one a second.
    @Test
    void slowFetchesGiveWayWhenAllPlacesAreTaken() {
        for (int i = 0; i < 40; i++) {
            drips("s" + i, i, "s" + i);
        }
        man.seconds(10);
        assertEquals(32, man.world.talking());
        owner(GOOD);
        man.world.server(GOOD).has(oid(OWNER));
        man.synced(id("x"));
        man.seconds(110);
        assertEquals(List.of(), man.notes(HuntNote.Visited.class));
        man.seconds(12); // eight others waited before
        assertEquals(1, man.world.released.size());
        assertEquals(List.of(), man.notes(HuntNote.Failed.class));
        assertEquals(
                1,
                man.notes(HuntNote.Visited.class).stream()
                        .filter(visit -> visit.oids() > 0)
                        .count());
    }

    /// Row 171: what others wait for in an attempt that a slow fetch keeps open is waited for in queues.
    @Test
    void ownerGetsAPlaceAlthoughAStrangersFetchKeepsTheAttemptOpen() {
        drips("x", 1, "s1");
        man.world.server("https://s1.example/x.git").bytesPerSecond = 1 << 20; // so it keeps its place
        man.seconds(2);
        for (int i = 2; i < 60; i++) {
            drips("s" + i, i, "s" + i);
        }
        man.seconds(10);
        owner(GOOD);
        man.world.server(GOOD).has(oid(OWNER));
        man.synced(id("x"));
        man.seconds(25);
        assertEquals(
                Set.of(new Host("good.example")),
                man.hunt.picture(id("x")).orElseThrow().waitingAt());
        man.seconds(120);
        assertEquals(1, man.world.released.size());
    }

    /// Row 118: a domain that is throttled is waited for, whatever else could be asked meanwhile.
    @Test
    void ownersDomainIsWaitedForAlthoughOthersCouldBeAsked() {
        man.world
                .server("https://good.example/other")
                .fails(new Failure.SlowDown(Optional.of(Duration.ofSeconds(100))));
        man.world.waits(id("other"), List.of(oid(1)), "https://good.example/other");
        man.synced(id("other"));
        man.seconds(2);
        for (int i = 0; i < 10; i++) {
            stranger(i, 20, new Failure.NotThere());
        }
        owner(GOOD);
        man.world.server(GOOD).has(oid(OWNER));
        man.synced(id("x"));
        man.seconds(105);
        assertEquals(List.of(101_000L), timesOf(GOOD));
    }
}
