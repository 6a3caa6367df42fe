package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.oid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.url.Host;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What failures lead to (purgatory 6.7).
final class VerdictsTest {
    private static final String A = "https://a.example/x.git";
    private static final String A2 = "https://a.example/y.git";
    private static final String B = "https://b.example/x.git";

    private final Huntsman man = new Huntsman();

    private void hunt(Failure failure) {
        man.world.server(A).fails(failure);
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
    }

    /// Row 144.
    @Test
    void brokenDomainIsLeftAloneForTwelveHoursAndThenAgain() {
        for (var cause : List.of(NaughtyCause.DNS, NaughtyCause.TLS)) {
            var one = new Huntsman();
            one.world.server(A).fails(new Failure.Broken(cause));
            one.world.server(A2).fails(new Failure.Broken(cause));
            one.world.waits(id("x"), List.of(oid(1)), A, A2);
            one.synced(id("x"));
            one.seconds(12 * 3600);
            assertEquals(List.of(A), one.world.urls("visit"));
            one.seconds(130);
            assertEquals(List.of(A, A2), one.world.urls("visit"));
            one.synced(id("x")); // a new event changes nothing
            one.seconds(12 * 3600 - 200);
            assertEquals(2, one.world.calls("visit").size());
            assertEquals(
                    List.of(true, false),
                    one.notes(HuntNote.Naughty.class).stream()
                            .map(HuntNote.Naughty::isFirst)
                            .toList());
        }
    }

    /// P-675: a certificate is that of a port.
    @Test
    void brokenCertificateIsThatOfItsPortAlone() {
        var otherPort = "https://a.example:8443/y.git";
        man.world.server(A).fails(new Failure.Broken(NaughtyCause.TLS));
        man.world.server(otherPort).has(oid(2));
        man.world.waits(id("x"), List.of(oid(1)), A, A2);
        man.world.waits(id("y"), List.of(oid(2)), otherPort);
        man.synced(id("x"));
        man.seconds(60);
        man.synced(id("y"));
        man.seconds(300);
        var urls = man.world.urls("visit");
        assertEquals(1, urls.stream().filter(A::equals).count());
        assertEquals(0, urls.stream().filter(A2::equals).count());
        assertTrue(urls.contains(otherPort), urls::toString);
    }

    /// Row 144.
    @Test
    void timeoutsAreNotNaughty() {
        hunt(new Failure.Passing());
        man.seconds(100);
        assertEquals(Optional.empty(), man.naughty.find(Site.secure(new Host("a.example"))));
        assertEquals(3, man.world.calls("visit").size());
    }

    /// P-675.
    @Test
    void nobodyIsNaughtyWhileThisServerIsCutOff() {
        var list = new TimedNaughtyList(Duration.ofHours(12), man.time::instant, () -> true);
        assertEquals(
                new NaughtyList.Entry(Optional.empty(), false),
                list.add(Site.secure(new Host("a.example")), NaughtyCause.DNS));
        assertEquals(Optional.empty(), list.find(Site.secure(new Host("a.example"))));
    }

    @Test
    void naughtyListComesBackFromWhatWasStored() {
        man.naughty.add(Site.secure(new Host("a.example")), NaughtyCause.TLS);
        man.naughty.addUrl(B, NaughtyCause.HOSTILE);
        var other = new TimedNaughtyList(Duration.ofHours(12), man.time::instant, () -> false);
        other.restore(man.naughty.entries());
        assertTrue(other.find(Site.secure(new Host("a.example"))).isPresent());
        assertTrue(other.findUrl(B).isPresent());
        assertEquals(man.naughty.counts(), other.counts());
    }

    /// A domain that turns naughty has no queue.
    @Test
    void queueOfABrokenDomainIsGivenUp() {
        for (int i = 0; i < 10; i++) {
            var url = "https://a.example/" + i;
            man.world.server(url).answersAfter(Duration.ofSeconds(3)).fails(new Failure.Broken(NaughtyCause.DNS));
            man.world.waits(id("x" + i), List.of(oid(i)), url);
            man.synced(id("x" + i));
        }
        man.seconds(30);
        assertEquals(5, man.world.calls("visit").size());
        assertEquals(
                0,
                man.hunt.counts().domains().values().stream()
                        .mapToInt(DomainPicture::queued)
                        .sum());
    }

    @Test
    void hostileUrlIsLeftAloneButNotItsDomain() {
        man.world.server(A).fails(new Failure.Hostile());
        man.world.server(A2).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1), oid(2)), A, A2);
        man.synced(id("x"));
        man.seconds(3600);
        assertEquals(1, man.world.urls("visit").stream().filter(A::equals).count());
        assertTrue(man.world.urls("visit").stream().filter(A2::equals).count() > 5);
        assertEquals(Optional.empty(), man.naughty.find(Site.secure(new Host("a.example"))));
    }

    @Test
    void forbiddenUrlIsNeverTriedAgain() {
        hunt(new Failure.Forbidden("private-address"));
        man.seconds(300);
        man.synced(id("x"));
        man.seconds(24 * 3600);
        assertEquals(1, man.world.calls("visit").size());
        assertEquals(Optional.empty(), man.naughty.find(Site.secure(new Host("a.example"))));
        assertEquals(
                List.of(new HuntNote.UrlRefused(Optional.of(new Host("a.example")), "private-address")),
                man.notes(HuntNote.UrlRefused.class));
    }

    /// Every announcement names this service, too.
    @Test
    void ownAddressIsNotToldAtAll() {
        var ours = "ours://here.example/x";
        man.world.waits(id("x"), List.of(oid(1)), ours, A);
        man.synced(id("x"));
        man.seconds(5);
        assertEquals(List.of(), man.notes(HuntNote.UrlRefused.class));
    }

    @Test
    void unfitAddressIsToldOncePerAttempt() {
        man.world.waits(id("x"), List.of(oid(1)), "file:///etc/passwd", A);
        man.synced(id("x"));
        man.seconds(5);
        assertEquals(
                List.of(new HuntNote.UrlRefused(Optional.empty(), "scheme")), man.notes(HuntNote.UrlRefused.class));
    }

    @Test
    void urlWhereNothingIsRestsAfterThreeRounds() {
        hunt(new Failure.NotThere());
        man.seconds(660); // 1, 21, 61, then rests until 661
        assertEquals(List.of(1000L, 21_000L, 61_000L), man.world.times("visit"));
        man.seconds(120);
        assertEquals(4, man.world.calls("visit").size());
    }

    /// A redirect may lead elsewhere tomorrow: only the URL itself can be forbidden.
    @Test
    void urlThatLeadsAwayRestsAfterThreeRounds() {
        hunt(new Failure.LedAway("address"));
        man.seconds(660);
        assertEquals(List.of(1000L, 21_000L, 61_000L), man.world.times("visit"));
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(4, man.world.calls("visit").size());
        assertEquals(
                List.of("address", "address", "address", "address"),
                man.notes(HuntNote.UrlRefused.class).stream()
                        .map(HuntNote.UrlRefused::rule)
                        .toList());
    }

    /// The operator may know that all is well again.
    @Test
    void operatorHasThoseAskedWhoAreLeftAlone() {
        var verdicts = List.of(
                new Failure.Hostile(),
                new Failure.Broken(NaughtyCause.DNS),
                new Failure.Broken(NaughtyCause.TLS),
                new Failure.Forbidden("address"),
                new Failure.NotThere());
        for (int i = 0; i < verdicts.size(); i++) {
            var url = "https://d" + i + ".example/x";
            man.world.server(url).fails(verdicts.get(i));
            man.world.waits(id("x"), List.of(oid(1)), url);
        }
        man.synced(id("x"));
        man.seconds(100); // three rounds
        int before = man.world.calls("visit").size();
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(before + 1, man.world.calls("visit").size(), "only the one that rests");
        man.hunt.insist(id("x"));
        man.seconds(2);
        assertEquals(before + 6, man.world.calls("visit").size());
    }

    /// P-672.
    @Test
    void newEventEndsTheRestOfAUrl() {
        hunt(new Failure.NotThere());
        man.seconds(100);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(4, man.world.calls("visit").size());
    }

    /// P-672.
    @Test
    void newEventEndsNoPause() {
        hunt(new Failure.SlowDown(Optional.of(Duration.ofSeconds(500))));
        man.seconds(100);
        man.synced(id("x"));
        man.seconds(390);
        assertEquals(1, man.world.calls("visit").size());
    }

    @Test
    void domainRestsAfterFiveFailuresInARow() {
        hunt(new Failure.Passing());
        man.seconds(265); // 1, 21, 61, 141, 261
        assertEquals(5, man.world.calls("visit").size());
        man.seconds(295); // attempts at 381 and 501 find it resting
        assertEquals(5, man.world.calls("visit").size());
        man.seconds(5);
        assertEquals(561_000L, man.world.times("visit").get(5));
    }

    /// P-674.
    @Test
    void successClearsTheDomainsFailures() {
        hunt(new Failure.Passing());
        man.seconds(145); // four failures
        man.world.server(A2).has(oid(2));
        man.world.waits(id("y"), List.of(oid(2)), A2);
        man.synced(id("y"));
        man.seconds(400); // 261, 381, 501: had the count gone on, it would rest since 261
        assertEquals(7, man.world.urls("visit").stream().filter(A::equals).count());
    }

    /// P-805: no permit for the target ends the visit as one that may pass.
    @Test
    void redirectToADomainWithoutPermitIsNoFailureOfTheTarget() {
        man.world.server(A).has(oid(1)).redirect = Optional.of(new Host("b.example"));
        man.naughty.add(Site.secure(new Host("b.example")), NaughtyCause.DNS);
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(
                List.of(new HuntNote.Failed(new Host("a.example"), new Failure.Passing(), "")),
                man.notes(HuntNote.Failed.class));
    }

    /// P-807: what is ready is served first, then what nothing needs goes. It is not the server's fault, but it is not
    /// asked for the same over and over again either.
    @Test
    void fullAreaIsClearedAfterReconcile() {
        man.world.server(A).has(oid(1)).fetchFailure = Optional.of(new Failure.Full(Room.AREA));
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(1, man.world.reconciles);
        assertEquals(List.of(1000L), man.world.times("room"));
        var answer = man.hunt.picture(id("x")).orElseThrow().answers().getFirst();
        assertEquals("area_full", answer.result());
        assertTrue(answer.words().contains("filled its room"), answer.words());
        man.seconds(600);
        assertEquals(3, man.world.calls("visit").size(), "it rests for ten minutes");
        man.world.server(A).works();
        man.seconds(400);
        assertEquals(1, man.world.released.size());
    }

    /// P-807.
    @Test
    void serverIsAskedAgainOnceThereIsRoom() {
        man.world.makesRoom = true;
        man.world.server(A).has(oid(1)).fetchFailure = Optional.of(new Failure.Full(Room.AREA));
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(300);
        assertEquals(5, man.world.calls("visit").size());
    }

    /// Nothing of the identifier's own would make room.
    @Test
    void fullDiskIsNobodysFault() {
        for (var room : List.of(Room.AREAS, Room.DISK)) {
            var other = new Huntsman();
            other.world.server(A).has(oid(1)).fetchFailure = Optional.of(new Failure.Full(room));
            other.world.waits(id("x"), List.of(oid(1)), A);
            other.synced(id("x"));
            other.seconds(300);
            assertEquals(5, other.world.calls("visit").size());
            assertEquals(0, other.world.reconciles);
            assertEquals(List.of(), other.world.times("room"));
            var words = other.hunt
                    .picture(id("x"))
                    .orElseThrow()
                    .answers()
                    .getFirst()
                    .words();
            assertTrue(words.startsWith("was not asked to the end: "), words);
        }
    }
}
