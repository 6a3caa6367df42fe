package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.fit;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.oid;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.Selection.Candidate;
import dev.grapnel.store.row.Source;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SelectionTest {
    private static final String A = "https://a.example/x.git";
    private static final String A2 = "https://a.example/y.git";
    private static final String B = "https://b.example/x.git";
    private static final String C = "https://c.example/x.git";
    private static final String D = "https://d.example/x.git";

    private static Availability open(HuntUrl ignored) {
        return Availability.OPEN;
    }

    private static Need need(int number, boolean isOverdue, String... urls) {
        return new Need(
                new EventId(0, 0, 0, number),
                new PublicKey(0, 0, 0, 1),
                false,
                Source.SYNC,
                isOverdue,
                List.of(new Need.Tip(oid(number), true, List.of())),
                List.of(urls));
    }

    private static List<Candidate> candidates(Need... needs) {
        return Selection.candidates(new Pending(true, false, List.of(needs)), ScriptedWorld::judge)
                .all();
    }

    private static List<String> texts(List<Candidate> candidates) {
        return candidates.stream().map(one -> one.url().text()).toList();
    }

    private static Optional<String> text(Optional<Candidate> candidate) {
        return candidate.map(one -> one.url().text());
    }

    /// Row 112.
    @Test
    void nothingIsChosenWithoutNeedOrPermit() {
        assertEquals(List.of(), candidates());
        var empty = new Need(
                new EventId(0, 0, 0, 1), new PublicKey(0, 0, 0, 1), false, Source.SYNC, false, List.of(), List.of(A));
        assertEquals(List.of(), candidates(empty));
        var some = candidates(need(1, false, A, B));
        assertEquals(Optional.empty(), Selection.next(some, Set.of(A, B), SelectionTest::open));
        assertEquals(Optional.empty(), Selection.next(some, Set.of(), _ -> Availability.THROTTLED));
        assertEquals(Optional.of(A), text(Selection.next(some, Set.of(), SelectionTest::open)));
    }

    /// Row 113.
    @Test
    void whateverMayNotBeAskedIsSkipped() {
        var some = candidates(need(1, false, A, A2, B, C));
        for (var closed : List.of(
                Availability.THROTTLED,
                Availability.PAUSED,
                Availability.NAUGHTY,
                Availability.RESTING,
                Availability.TAKEN)) {
            var map = Map.of(A, closed, A2, closed);
            Function<HuntUrl, Availability> now = url -> map.getOrDefault(url.text(), Availability.OPEN);
            assertEquals(Optional.of(C), text(Selection.next(some, Set.of(B), now)), closed::name);
            boolean isWaitedFor = closed == Availability.THROTTLED;
            assertEquals(
                    isWaitedFor ? Optional.of(A) : Optional.empty(),
                    text(Selection.nextOf(new Host("a.example"), some, Set.of(), now)),
                    closed::name);
        }
        assertEquals(
                Optional.of(A2), text(Selection.nextOf(new Host("a.example"), some, Set.of(A), SelectionTest::open)));
        assertEquals(
                Optional.empty(), text(Selection.nextOf(new Host("d.example"), some, Set.of(), SelectionTest::open)));
    }

    @Test
    void throttledAndPausedDomainsAreWaitedForUnlessAllOfThemIsTried() {
        var some = candidates(need(1, false, A, A2, B, C));
        var map = Map.of(A, Availability.THROTTLED, B, Availability.PAUSED, C, Availability.NAUGHTY);
        Function<HuntUrl, Availability> now = url -> map.getOrDefault(url.text(), Availability.RESTING);
        assertEquals(List.of(A, B), texts(Selection.busy(some, Set.of(), now)));
        assertEquals(List.of(B), texts(Selection.busy(some, Set.of(A), now)));
    }

    /// Row 116.
    @Test
    void orderIsThatOfPublicationAndEventsShareUrls() {
        var some = candidates(need(1, false, B, A), need(2, false, A, C));
        assertEquals(
                List.of(B, A, C), some.stream().map(one -> one.url().text()).toList());
        assertEquals(2, some.get(1).needs().size());
    }

    /// Row 116, end to end.
    @Test
    void urlsOfTheProposalAreUsedWhenThoseOfTheAnnouncementFail() {
        var man = new Huntsman();
        man.world.server(A).fails(new Failure.NotThere());
        man.world.server(B).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1)), A, B);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(List.of(A, B), man.world.urls("visit"));
        assertEquals(1, man.world.released.size());
    }

    /// Row 117.
    @Test
    void urlIsOnlyAskedForWhatItIsRelevantTo() {
        var man = new Huntsman();
        man.world.server(A).has(oid(1), oid(2));
        man.world.server(B).has(oid(1), oid(2));
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.world.waits(id("x"), List.of(oid(2)), B);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(
                List.of(List.of(oid(1)), List.of(oid(2))),
                man.world.calls("fetch").stream().map(ScriptedWorld.Call::wants).toList());
    }

    /// Row 118.
    @Test
    void fiftyUrlsAreUsedInAnAttemptAndTwentyOfAnEvent() {
        var needs = IntStream.range(0, 3)
                .mapToObj(event -> need(
                        event,
                        false,
                        IntStream.range(0, 30)
                                .mapToObj(url -> "https://h" + url + ".example/" + event)
                                .toArray(String[]::new)))
                .toArray(Need[]::new);
        var some = candidates(needs);
        assertEquals(60, some.size());
        assertEquals(
                20, some.stream().filter(one -> one.url().text().endsWith("/1")).count());
        assertEquals(
                50, Selection.busy(some, Set.of(), _ -> Availability.THROTTLED).size());
        var man = new Huntsman();
        for (var need : needs) {
            man.world.add(id("x"), need.tips(), need.cloneUrls());
        }
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(50, Set.copyOf(man.world.urls("visit")).size());
        man.seconds(28); // the second attempt begins with those that were left
        assertEquals(60, Set.copyOf(man.world.urls("visit").subList(0, 60)).size());
    }

    /// Row 118.
    @Test
    void duplicatesAreOneUrlAndUnfitOnesDoNotCount() {
        var judged = Selection.candidates(
                new Pending(true, false, List.of(need(1, false, A, "ssh://a.example/x", A + "/", B))),
                ScriptedWorld::judge);
        assertEquals(
                List.of(fit(A), fit(B)),
                judged.all().stream().map(Candidate::url).toList());
        assertEquals(List.of("ssh://a.example/x"), List.copyOf(judged.refused().keySet()));
    }

    @Test
    void nothingIsFetchedOnlyForThoseWhoseTimeIsOver() {
        var some = candidates(need(1, true, A), need(2, false, B), need(3, true, B));
        assertEquals(List.of(fit(B)), some.stream().map(Candidate::url).toList());
        assertEquals(2, some.getFirst().needs().size());
    }

    @Test
    void whereSomethingWasSeenIsAskedFirst() {
        var some = Selection.inTurn(candidates(need(1, false, A, B, C)), Optional.of(C), Map.of(), Map.of());
        assertEquals(List.of(C, A, B), texts(some));
    }

    /// Whatever number of events and URLs an author has, they are one share; a URL of two counts for the first.
    @Test
    void authorsTakeTurns() {
        var all = candidates(
                by(1, need(1, false, A, A2)),
                by(1, need(2, false, D)),
                by(2, need(3, false, A, B)),
                by(3, need(4, false, C)));
        var served = Map.of(key(1), 1L, key(2), 2L, key(3), 3L);
        assertEquals(List.of(A, B, C, A2, D), texts(Selection.inTurn(all, Optional.empty(), served, Map.of())));
        var later = Map.of(key(1), 4L, key(2), 2L, key(3), 3L);
        assertEquals(List.of(B, C, A2, A, D), texts(Selection.inTurn(all, Optional.empty(), later, Map.of(A, 4L))));
    }

    /// P-623: of an author those that were never asked come as published, then whoever was asked longest ago.
    @Test
    void urlThatWasAskedLongestAgoComesFirst() {
        var all = candidates(need(1, false, A, A2, B, C));
        var asked = Map.of(A, 9L, A2, 7L, B, 8L);
        assertEquals(List.of(C, A2, B, A), texts(Selection.inTurn(all, Optional.empty(), Map.of(), asked)));
    }

    private static PublicKey key(int number) {
        return new PublicKey(0, 0, 0, number);
    }

    private static Need by(int author, Need need) {
        return new Need(
                need.event(),
                key(author),
                need.isServed(),
                need.source(),
                need.isOverdue(),
                need.tips(),
                need.cloneUrls());
    }
}
