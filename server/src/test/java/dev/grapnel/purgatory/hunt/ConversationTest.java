package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.oid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is asked during a visit.
final class ConversationTest {
    private static final String A = "https://a.example/x.git";
    private static final String B = "https://b.example/x.git";

    private final Huntsman man = new Huntsman();

    private static List<Oid> oids(int from, int to) {
        return IntStream.range(from, to).mapToObj(ScriptedWorld::oid).toList();
    }

    private List<List<Oid>> fetches() {
        return man.world.calls("fetch").stream().map(ScriptedWorld.Call::wants).toList();
    }

    private int starts() {
        return man.domain("a.example").starts();
    }

    /// Rows 201 and 136.
    @Test
    void advertisedTipsAreOneRequestAndTheVisitOnePermit() {
        man.world.server(A).has(oids(0, 100).toArray(Oid[]::new));
        man.world.waits(id("x"), oids(0, 100), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(1, fetches().size());
        assertEquals(100, fetches().getFirst().size());
        assertEquals(1, starts());
    }

    /// Row 201.
    @Test
    void hundredsOfIdsThatNobodyHasDelayNothingThatExists() {
        man.world.server(A).has(oid(900));
        man.world.waits(id("x"), oids(0, 500), A);
        man.world.waits(id("x"), List.of(oid(900)), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(List.of("1000 x#2"), man.world.released);
        assertEquals(List.of(oid(900)), fetches().getFirst());
        assertEquals(1, man.world.calls("visit").size());
        man.seconds(1800);
        // two guesses a visit, and never more than six in a minute
        assertTrue(fetches().size() - 1 <= 2 * man.world.calls("visit").size());
    }

    /// Rows 202 and 136.
    @Test
    void guessesAreTwoAVisitEachAloneWithItsOwnPermit() {
        man.world.server(A).hides(oid(1), oid(2), oid(3));
        man.world.waits(id("x"), oids(1, 4), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(List.of(List.of(oid(1)), List.of(oid(2))), fetches());
        assertEquals(3, starts());
        man.seconds(20);
        assertEquals(List.of(oid(3)), fetches().getLast());
        assertEquals(1, man.world.released.size());
    }

    /// Row 202.
    @Test
    void sixGuessesADomainAndMinute() {
        for (int i = 0; i < 6; i++) {
            var url = "https://a.example/" + i;
            man.world.waits(id("x" + i), oids(10 * i, (10 * i) + 5), url);
            man.synced(id("x" + i));
        }
        man.seconds(2);
        assertEquals(6, fetches().size());
        assertEquals(6, man.world.calls("visit").size());
    }

    /// Row 202: none above half of the rate.
    @Test
    void noGuessOnceHalfOfTheRateIsUsed() {
        for (int i = 0; i < 15; i++) {
            var url = "https://a.example/" + i;
            man.world.server(url).has(oid(100 + i));
            man.world.waits(id("w" + i), List.of(oid(100 + i)), url);
            man.synced(id("w" + i));
        }
        man.seconds(2);
        int before = fetches().size();
        man.world.waits(id("x"), oids(1, 4), A);
        man.synced(id("x"));
        man.seconds(5);
        assertEquals(16, man.world.calls("visit").size());
        assertEquals(before, fetches().size());
    }

    /// Row 202.
    @Test
    void servedEventsAndBranchesOfHeadAreGuessedFirst() {
        var one = new ArrayList<Need.Tip>();
        one.add(new Need.Tip(oid(1), false, List.of()));
        one.add(new Need.Tip(oid(2), true, List.of()));
        man.world.add(id("x"), one, List.of(A));
        man.world
                .add(id("x"), List.of(new Need.Tip(oid(3), false, List.of())), List.of(A))
                .served();
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(List.of(List.of(oid(3)), List.of(oid(2))), fetches());
    }

    /// Row 203.
    @Test
    void missesAreNotAskedForAgainWhileRefsAreTheSame() {
        man.world.server(A).has(oid(50));
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(300); // visits at 1, 21, 61, 141, 261
        assertEquals(5, man.world.calls("visit").size());
        assertEquals(1, fetches().size());
        man.synced(id("x")); // a fresh start asks no sooner
        man.seconds(30);
        assertEquals(1, fetches().size());
        man.world.server(A).has(oid(51));
        man.seconds(60);
        assertEquals(2, fetches().size());
    }

    /// Row 203.
    @Test
    void missesAreForgottenAfterHalfAnHour() {
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.world.server(A);
        man.synced(id("x"));
        man.seconds(1790);
        assertEquals(1, fetches().size());
        man.seconds(130);
        assertEquals(2, fetches().size());
    }

    /// Row 203.
    @Test
    void missesOfAThousandUrlsAreRemembered() {
        var misses = new Misses(HuntConfig.DEFAULTS.guesses());
        for (int i = 0; i < 2000; i++) {
            misses.add("u" + i, "f", List.of(oid(1)), 0);
        }
        assertEquals(1024, misses.urls());
        assertEquals(Set.of(oid(1)), misses.of("u1999", "f", 1));
        assertEquals(Set.of(), misses.of("u0", "f", 1));
        assertEquals(Set.of(), misses.of("u1999", "other", 1));
        assertEquals(Set.of(), misses.of("u1999", "f", Duration.ofMinutes(30).toMillis()));
        misses.add("many", "f", oids(0, 1000), 0);
        assertTrue(misses.of("many", "f", 1).size() <= 256);
    }

    /// P-662: what comes along as an ancestor is not asked for.
    @Test
    void ancestorsThatComeAlongAreNotGuessed() {
        man.world.server(A).has(oid(1)).behind.put(oid(1), Set.of(oid(2)));
        man.world.waits(id("x"), List.of(oid(1), oid(2)), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(List.of(List.of(oid(1))), fetches());
        assertEquals(1, man.world.released.size());
    }

    /// Row 142, the policy: the branch of the same name, once a visit, and not again while refs are the same.
    @Test
    void serverThatGivesOnlyItsRefsIsAskedForThoseOfTheSameName() {
        var server = man.world.server(A).ref("refs/heads/b0", oid(7)).ref("refs/heads/other", oid(8));
        server.allowsUnadvertised = false;
        server.behind.put(oid(7), Set.of(oid(1)));
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.world.add(id("x"), List.of(new Need.Tip(oid(2), true, List.of(new RefName("refs/heads/b0")))), List.of(A));
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(List.of(List.of(oid(7))), fetches());
        assertEquals(2, starts());
        assertEquals(List.of("1000 x#1"), man.world.released);
        man.seconds(200);
        assertEquals(1, fetches().size());
    }

    /// Row 141: the others are asked for again without it, with a rate token of their own, and it is not asked for
    /// again
    /// while refs are the same.
    @Test
    void refusedIdIsDroppedAndTheOthersCome() {
        man.world.server(A).has(oid(1), oid(2), oid(3)).stale.add(oid(2));
        man.world.waits(id("x"), List.of(oid(1), oid(3)), A);
        man.world.waits(id("x"), List.of(oid(2)), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(List.of(List.of(oid(1), oid(3), oid(2)), List.of(oid(1), oid(3))), fetches());
        assertEquals(2, starts());
        assertEquals(List.of("1000 x#1"), man.world.released);
        man.seconds(60);
        assertEquals(2, fetches().size());
        man.world.server(A).has(oid(4)).stale.clear();
        man.seconds(100);
        assertEquals(2, man.world.released.size());
    }

    /// What a domain bears in a minute is not spent on one liar.
    @Test
    void serverThatRefusesAllItAdvertisesIsAskedSixTimes() {
        var server = man.world.server(A).has(oids(0, 50).toArray(Oid[]::new));
        server.stale.addAll(oids(0, 50));
        man.world.waits(id("x"), oids(0, 50), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(6, fetches().size());
        assertEquals(6, starts());
        man.seconds(20);
        assertEquals(oid(6), fetches().get(6).getFirst(), "what it refused is known");
    }

    /// P-643: without a token the visit is over, and what it brought counts.
    @Test
    void repeatThatGetsNoTokenIsNotMade() {
        var limits = HuntConfig.DEFAULTS.limits();
        var poor = new Huntsman(
                Huntsman.with(new HuntConfig.Limits(
                        limits.concurrent(), 1, List.of(), limits.fetches(), limits.perAddress())),
                1);
        poor.world.server(A).has(oid(1), oid(2)).stale.add(oid(1));
        poor.world.waits(id("x"), oids(1, 3), A);
        poor.synced(id("x"));
        poor.seconds(2);
        assertEquals(1, poor.world.calls("fetch").size());
        assertEquals(1, poor.notes(HuntNote.Deferred.class).size());
    }

    /// A server that does not say which is asked for halves.
    @Test
    void refusalThatNamesNothingIsHalved() {
        var server = man.world.server(A).has(oids(1, 5).toArray(Oid[]::new));
        server.stale.add(oid(4));
        server.isVague = true;
        man.world.waits(id("x"), oids(1, 4), A);
        man.world.waits(id("x"), List.of(oid(4)), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(List.of(oids(1, 5), oids(1, 3), oids(3, 5), oids(3, 4), oids(4, 5)), fetches());
        assertEquals(5, starts());
        assertEquals(List.of("1000 x#1"), man.world.released);
    }

    /// P-662: a refusal costs that id only, whatever words it comes in.
    @Test
    void vagueRefusalOfAGuessCostsThatGuessOnly() {
        var server = man.world.server(A).hides(oid(2));
        server.isVague = true;
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.world.waits(id("x"), List.of(oid(2)), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(List.of(List.of(oid(1)), List.of(oid(2))), fetches());
        assertEquals(List.of("1000 x#2"), man.world.released);
        assertEquals(
                List.of("ok"),
                man.notes(HuntNote.Visited.class).stream()
                        .map(HuntNote.Visited::result)
                        .toList());
        man.seconds(60);
        assertEquals(2, fetches().size());
    }

    /// Row 142: version 0 advertises what a tag stands for, but gives only the tag.
    @Test
    void whatATagStandsForComesWithTheTag() {
        var server = man.world.server(A).ref("refs/tags/v1", oid(7)).ref("refs/tags/v1-peeled", oid(1));
        server.stale.add(oid(1));
        server.behind.put(oid(7), Set.of(oid(1)));
        server.allowsUnadvertised = false;
        man.world.add(id("x"), List.of(new Need.Tip(oid(1), true, List.of(new RefName("refs/tags/v1")))), List.of(A));
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(List.of(List.of(oid(1)), List.of(oid(7))), fetches());
        assertEquals(1, man.world.released.size());
    }

    /// P-611.
    @Test
    void moreThanTwoThousandTipsTakeFurtherRequests() {
        man.world.server(A).has(oids(0, 4500).toArray(Oid[]::new));
        man.world.waits(id("x"), oids(0, 4500), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(
                List.of(2000, 2000, 500), fetches().stream().map(List::size).toList());
        assertEquals(3, starts());
        assertEquals(1, man.world.released.size());
    }

    /// What came before a failure counts.
    @Test
    void failureLateInAVisitLosesNothing() {
        man.world.server(A).has(oid(1)).fetchFailure = Optional.empty();
        man.world.server(B).has(oid(2)).fetchFailure = Optional.of(new Failure.Passing());
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.world.waits(id("x"), List.of(oid(2)), B);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(List.of("1000 x#1"), man.world.released);
        assertEquals(
                List.of("ok", "transient"),
                man.notes(HuntNote.Visited.class).stream()
                        .map(HuntNote.Visited::result)
                        .toList());
    }

    /// Whoever sends much and nothing of use costs as much as others.
    @Test
    void bytesOfAVisitThatFailsAreCounted() {
        man.world.server(A).has(oid(1)).fetchFailure = Optional.of(new Failure.Hostile());
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(
                List.of(100L),
                man.notes(HuntNote.Visited.class).stream()
                        .map(HuntNote.Visited::bytes)
                        .toList());
        assertEquals(
                List.of(0L, 100L),
                man.notes(HuntNote.Requested.class).stream()
                        .map(HuntNote.Requested::bytes)
                        .toList());
    }

    /// The existing server counts apart what is fetched to mend what is served.
    @Test
    void requestsForServedDataAreCountedApart() {
        man.world.server(A).has(oid(1));
        man.world.server(B).has(oid(2));
        man.world.waits(id("x"), List.of(oid(1)), A).served();
        man.world.waits(id("y"), List.of(oid(2)), B);
        man.hunt.notice(id("x"), Occasion.REPAIR);
        man.seconds(2);
        man.synced(id("y"));
        man.seconds(2);
        assertEquals(
                List.of(HuntNote.Role.INTEGRITY, HuntNote.Role.INTEGRITY, HuntNote.Role.PRIMARY, HuntNote.Role.PRIMARY),
                man.notes(HuntNote.Requesting.class).stream()
                        .map(HuntNote.Requesting::role)
                        .toList());
    }
}
