package dev.grapnel.sync.health;

import static dev.grapnel.sync.health.DialGround.BOOTSTRAP;
import static dev.grapnel.sync.health.DialGround.ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.Rule;
import dev.grapnel.purgatory.hunt.Site;
import dev.grapnel.sync.health.DialGround.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Who is dialled when, as long as there are links enough (R4.4, R1.16).
final class DialOrderTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofHours(24);

    private final DialGround ground = new DialGround();

    private static Standing full(int count) {
        return new Standing(false, false, count, false);
    }

    /// Row 145.
    @Test
    void startWithAThousandRelaysKeepsToTheLimitsOfHandshakes() {
        ground.usually(Behaviour.accepts().after(Duration.ofSeconds(9)));
        ground.wantAll(0, 1_000, ONE);
        ground.pass(Duration.ofMinutes(10));
        assertEquals(32, ground.diallingMax);
        assertEquals(1_000, ground.up.size());
        assertEquals(1_000, ground.attempts.size());
    }

    @Test
    void noMoreThanTwentyHandshakesBeginInAnySecond() {
        ground.wantAll(0, 500, ONE);
        ground.pass(Duration.ofMinutes(1));
        var attempts = ground.attempts;
        assertEquals(500, attempts.size());
        for (int i = 20; i < attempts.size(); i++) {
            var apart = attempts.get(i).at().minus(attempts.get(i - 20).at());
            assertTrue(apart.compareTo(SECOND) >= 0, "attempt " + i);
        }
        assertTrue(attempts.getLast().at().compareTo(Duration.ofSeconds(25)) < 0, "and no slower than need be");
    }

    @Test
    void moreImportantRelaysAreDialledFirstAndEqualsInTurn() {
        ground.usually(Behaviour.accepts().after(Duration.ofSeconds(1)));
        ground.wantAll(100, 140, ONE); // all places are taken by these first
        ground.want(1, full(5));
        ground.want(2, full(7));
        ground.want(3, new Standing(true, true, 0, false));
        ground.want(4, full(5));
        ground.pass(Duration.ofMinutes(1));
        assertEquals(
                IntStream.range(100, 120).boxed().toList(), ground.dialled().subList(0, 20));
        assertEquals(List.of(3, 2, 1, 4, 120, 121), ground.dialled().subList(20, 26));
    }

    @Test
    void changedStandingChangesTheOrderOfThoseWhoWait() {
        ground.wantAll(0, 30, ONE);
        ground.want(29, full(3));
        ground.want(25, full(4));
        ground.pass(SECOND);
        assertEquals(List.of(25, 29, 20), ground.dialled().subList(20, 23));
    }

    /// Rows 115, 77, 32: also whose very first connection fails is tried again, on schedule.
    @Test
    void refusingRelayIsTriedEverMoreSeldom() {
        ground.does(7, Behaviour.fails(new Failure.ConnectFailed()));
        ground.want(7);
        ground.pass(Duration.ofHours(1));
        assertEquals(List.of(0L, 5L, 15L, 35L, 75L, 155L, 315L, 635L, 1275L, 2555L), ground.secondsOf(7));
        ground.pass(Duration.ofHours(23));
        assertEquals(33, ground.attempts.size());
        assertEquals(RelayStatus.DEAD, ground.status(7));
        ground.pass(Duration.ofHours(1));
        ground.forgetAttempts();
        ground.pass(DAY.multipliedBy(5));
        assertEquals(5, ground.attempts.size(), "row 117: one attempt a day");
        assertEquals(List.of(new HealthNote.Died(ground.url(7))), ground.notes);
        ground.does(7, Behaviour.accepts());
        ground.pass(DAY);
        assertEquals(RelayStatus.HEALTHY, ground.status(7));
        assertEquals(1, ground.order.figures().connected());
    }

    @Test
    void delayCountsFromTheEndOfTheAttempt() {
        ground.does(7, Behaviour.fails(new Failure.Timeout(Failure.Limit.WHOLE)).after(Duration.ofSeconds(10)));
        ground.want(7);
        ground.pass(Duration.ofSeconds(50));
        assertEquals(List.of(0L, 15L, 35L), ground.secondsOf(7));
    }

    /// Row 116.
    @Test
    void relayThatAcceptsAndDropsIsTriedEverMoreSeldom() {
        ground.does(7, Behaviour.accepts().after(Duration.ZERO).thenDrops(Duration.ZERO));
        ground.want(7);
        ground.pass(Duration.ofHours(1));
        assertEquals(List.of(0L, 5L, 15L, 35L, 75L, 155L, 315L, 635L, 1275L, 2555L), ground.secondsOf(7));
    }

    /// R6.3.
    @Test
    void lostStableLinkIsMadeAgainAfterFiveSeconds() {
        ground.does(7, Behaviour.accepts().after(Duration.ZERO).thenDrops(Duration.ofMinutes(5)));
        ground.want(7);
        ground.pass(Duration.ofMinutes(16));
        assertEquals(List.of(0L, 305L, 610L, 915L), ground.secondsOf(7));
    }

    /// Row 118.
    @Test
    void deadBootstrapRelayIsTriedHourly() {
        ground.does(7, Behaviour.fails(new Failure.NoSuchName()));
        ground.want(7, BOOTSTRAP);
        ground.pass(DAY.multipliedBy(2));
        assertEquals(RelayStatus.DEAD, ground.status(7));
        ground.forgetAttempts();
        ground.pass(DAY);
        assertEquals(24, ground.attempts.size());
    }

    /// The operator names a relay that was found dead before, and starts the server again.
    @Test
    void relayThatWasDeadBeforeItWasNamedIsTriedWithinAnHour() {
        ground.does(7, Behaviour.fails(new Failure.Broken()));
        ground.want(7);
        ground.pass(DAY.plus(Duration.ofHours(2)));
        assertEquals(RelayStatus.DEAD, ground.status(7));
        ground.order.unwant(7);
        ground.forgetAttempts();
        ground.want(7, BOOTSTRAP);
        ground.pass(Duration.ofHours(1));
        assertEquals(1, ground.attempts.size());
    }

    @Test
    void plannedEndIsNoFailureAndTheLinkIsMadeAgainAtOnce() {
        ground.want(7);
        ground.pass(SECOND);
        ground.drop(7, new Failure.Cancelled(), true);
        assertEquals(RelayStatus.DISCONNECTED, ground.status(7));
        ground.pass(SECOND);
        assertEquals(List.of(7), List.copyOf(ground.up.keySet()));
    }

    @Test
    void linkWeEndBecauseOfItsJunkIsAFailure() {
        ground.want(7);
        ground.pass(SECOND);
        ground.drop(7, new Failure.Cancelled(), false);
        assertEquals(RelayStatus.DEGRADED, ground.status(7));
        ground.pass(SECOND);
        assertTrue(ground.up.isEmpty());
    }

    // ---- what a handshake is answered (R4.27)

    @Test
    void whoTurnsUsAwayIsLeftAloneForADay() {
        for (int status : new int[] {401, 403}) {
            ground.does(status, Behaviour.answers(status));
            ground.want(status);
        }
        ground.pass(DAY.minusSeconds(1));
        assertEquals(List.of(401, 403), ground.dialled());
        assertEquals(RelayStatus.POLICY_LIMITED, ground.status(401));
        ground.pass(Duration.ofSeconds(2));
        assertEquals(List.of(401, 403, 401, 403), ground.dialled());
        assertEquals(4, ground.notes(HealthNote.TurnedAway.class).size());
        assertEquals(0, ground.order.findRecord(401).orElseThrow().streak(ground.loop.nanos()), "no failure");
    }

    @Test
    void tooManyRequestsIsACooldownAsLongAsTheRelayWants() {
        ground.does(7, Behaviour.answers(429));
        ground.does(8, Behaviour.answers(429, Optional.of(Duration.ofMinutes(10))));
        ground.does(9, Behaviour.answers(429, Optional.of(DAY)));
        ground.wantAll(7, 10, ONE);
        ground.pass(Duration.ofHours(1));
        assertEquals(RelayStatus.RATE_LIMITED, ground.status(7));
        assertEquals(List.of(0L, 65L, 195L, 455L, 975L, 2015L), ground.secondsOf(7), "each soon after the last");
        assertEquals(List.of(0L, 600L, 1200L, 1800L, 2400L, 3440L), ground.secondsOf(8), "the longer of both");
        assertEquals(List.of(0L, 3600L), ground.secondsOf(9));
    }

    @Test
    void serverInTroubleIsAnOrdinaryFailure() {
        ground.does(7, Behaviour.answers(503));
        ground.want(7);
        ground.pass(Duration.ofSeconds(16));
        assertEquals(List.of(0L, 5L, 15L), ground.secondsOf(7));
        assertEquals(List.of(), ground.notes);
    }

    /// Row 122.
    @Test
    void whoeverAnswersOtherwiseIsNoWebSocketForTwelveHours() {
        ground.want(1); // our network is all right
        ground.pass(SECOND);
        var statuses = List.of(200, 204, 301, 302, 308, 400, 404, 426);
        statuses.forEach(status -> {
            ground.does(status, Behaviour.answers(status));
            ground.want(status);
        });
        ground.pass(Duration.ofHours(12).minusSeconds(1));
        assertEquals(statuses.size() + 1, ground.attempts.size());
        assertEquals(RelayStatus.DEGRADED, ground.status(200), "R6.11: it is a failure, too");
        assertEquals(statuses.size(), ground.order.figures().naughty().get(RelayFault.PROTOCOL));
        assertTrue(ground.notes(HealthNote.Naughty.class).stream().allMatch(HealthNote.Naughty::isFirst));
        ground.pass(Duration.ofSeconds(2));
        assertEquals(2 * statuses.size() + 1, ground.attempts.size());
        assertEquals(statuses.size(), ground.notes(HealthNote.NaughtyOver.class).size());
        assertFalse(ground.notes(HealthNote.Naughty.class).getLast().isFirst(), "known by now");
    }

    // ---- the naughty list (6.3)

    /// Row 120.
    @Test
    void missingNameIsLeftAloneForTwelveHoursAndWithItAllOfItsHost() {
        ground.address(relay -> HealthBookTest.url("wss://h" + relay % 10 + ".example/" + relay));
        ground.does(3, Behaviour.fails(new Failure.NoSuchName()));
        ground.want(1);
        ground.want(3);
        ground.pass(SECOND);
        ground.want(13);
        ground.pass(Duration.ofHours(12).minusSeconds(2));
        assertEquals(List.of(1, 3), ground.dialled());
        assertEquals(2, ground.order.figures().naughty().get(RelayFault.DNS));
        ground.does(3, Behaviour.accepts());
        ground.pass(Duration.ofMinutes(1));
        assertEquals(Set.of(1, 3, 13), ground.up.keySet());
        assertEquals(Set.of(), ground.order.figures().naughty().keySet());
    }

    @Test
    void certificateOfOnePortShutsOutNoOtherAndNobodyWithoutTls() {
        var urls = Map.of(
                1, "wss://h.example:20500",
                2, "ws://h.example:20001",
                3, "wss://h.example:20500/other",
                4, "wss://h.example",
                5, "ws://h.example:20500/plain");
        ground.address(relay -> HealthBookTest.url(urls.getOrDefault(relay, "wss://r.example")));
        ground.does(1, Behaviour.fails(new Failure.CertificateInvalid()));
        ground.wantAll(0, 2, ONE);
        ground.pass(SECOND);
        ground.wantAll(2, 6, ONE);
        ground.pass(Duration.ofMinutes(1));
        assertEquals(Set.of(0, 2, 4, 5), ground.up.keySet());
        assertEquals(2, ground.order.figures().naughty().get(RelayFault.TLS));
        assertEquals(
                "the certificate of wss://h.example:20500 is not valid",
                ground.order.findWait(3).orElseThrow().detail());
    }

    /// Row 120.
    @Test
    void failingResolverRefusalAndSilenceAreNotNaughty() {
        ground.want(1);
        ground.does(2, Behaviour.fails(new Failure.LookupFailed()));
        ground.does(3, Behaviour.fails(new Failure.ConnectFailed()));
        ground.does(4, Behaviour.fails(new Failure.Timeout(Failure.Limit.TLS)));
        ground.wantAll(2, 5, ONE);
        ground.pass(Duration.ofMinutes(1));
        assertEquals(List.of(), ground.notes);
        assertEquals(4, ground.secondsOf(2).size());
        assertEquals(4, ground.secondsOf(3).size());
        assertEquals(4, ground.secondsOf(4).size());
    }

    @Test
    void brokenFramesOfALinkAreFaultsOfItsUrlAlone() {
        ground.address(relay -> HealthBookTest.url("wss://h.example/" + relay));
        ground.wantAll(1, 3, ONE);
        ground.pass(SECOND);
        ground.drop(1, new Failure.Protocol("a frame is masked"), false);
        ground.drop(2, new Failure.Broken(), false);
        ground.pass(Duration.ofHours(11));
        assertEquals(List.of(1, 2, 2), ground.dialled());
    }

    @Test
    void whoTheOperatorTakesOffTheListIsTriedAfterTheNextCheck() {
        ground.want(1);
        ground.does(3, Behaviour.fails(new Failure.CertificateInvalid()));
        ground.want(3);
        ground.pass(Duration.ofMinutes(5));
        ground.does(3, Behaviour.accepts());
        ground.naughty.remove(Site.of(ground.url(3)));
        ground.order.check();
        ground.pass(SECOND);
        assertTrue(ground.up.containsKey(3));
        assertEquals(1, ground.notes(HealthNote.NaughtyOver.class).size());
    }

    @Test
    void whoTheOperatorWantsTriedIsDialledAtOnce() {
        ground.want(1);
        ground.does(3, Behaviour.fails(new Failure.NoSuchName()));
        ground.does(4, Behaviour.answers(403));
        ground.does(5, Behaviour.answers(404));
        ground.does(6, Behaviour.answers(429));
        ground.wantAll(3, 7, ONE);
        ground.pass(SECOND);
        for (int relay = 3; relay < 7; relay++) {
            ground.does(relay, Behaviour.accepts());
            ground.order.hurry(relay);
        }
        ground.pass(SECOND);
        assertEquals(Set.of(1, 3, 4, 5), ground.up.keySet(), "the last one wanted us to slow down");
    }

    /// Nobody need look at it: that is how operators have two names for one server.
    @Test
    void anotherNameOfOursIsLeftAloneAndNotBlamed() {
        ground.does(1, Behaviour.fails(new Failure.Policy(Rule.OWN, "ours")));
        ground.want(1);
        ground.pass(SECOND);
        assertEquals(RelayStatus.DISCONNECTED, ground.order.status(1));
        var wait = ground.order.findWait(1).orElseThrow();
        assertEquals(DialWait.Cause.OURS, wait.cause());
        assertFalse(wait.isOverAtWill());
        ground.does(1, Behaviour.accepts());
        ground.order.hurry(1);
        ground.pass(Duration.ofHours(23));
        assertEquals(Set.of(), ground.up.keySet());
        ground.pass(Duration.ofHours(2));
        assertEquals(Set.of(1), ground.up.keySet());
    }

    // ---- our own outages (R6.6)

    /// Row 119.
    @Test
    void withoutANetworkNobodyIsBlamedAndOneIsProbedAtATime() {
        ground.usually(Behaviour.fails(new Failure.NoSuchName()));
        ground.wantAll(0, 10, ONE);
        ground.pass(SECOND);
        assertTrue(ground.order.isCutOff());
        ground.pass(Duration.ofMinutes(10));
        ground.forgetAttempts();
        ground.pass(DAY.plusHours(1));
        assertEquals(Map.of(), ground.naughty.counts());
        assertEquals(0, ground.order.figures().dead());
        assertEquals(25 * 120, ground.attempts.size(), "one in 30 s");
        for (int relay = 0; relay < 10; relay++) {
            assertEquals(25 * 12, ground.secondsOf(relay).size(), "in turn");
        }
    }

    @Test
    void firstSuccessEndsTheOutageAndAllAreDialledAtOnce() {
        ground.usually(Behaviour.fails(new Failure.ConnectFailed()));
        ground.wantAll(0, 10, ONE);
        ground.pass(Duration.ofHours(1));
        ground.usually(Behaviour.accepts());
        ground.pass(Duration.ofSeconds(31));
        assertFalse(ground.order.isCutOff());
        assertEquals(10, ground.up.size());
        assertEquals(List.of(new HealthNote.CutOff(), new HealthNote.BackOnline()), ground.notes);
    }

    /// Captive networks answer for everybody.
    @Test
    void blameOfTheMinutesBeforeIsTakenBack() {
        ground.usually(Behaviour.fails(new Failure.CertificateInvalid()));
        ground.does(0, Behaviour.fails(new Failure.Protocol("no answer of HTTP")));
        ground.wantAll(0, 5, ONE);
        ground.pass(SECOND);
        assertTrue(ground.order.isCutOff());
        assertEquals(Map.of(), ground.naughty.counts());
        assertEquals(Map.of(), ground.order.figures().naughty());
        ground.usually(Behaviour.accepts());
        ground.does(0, Behaviour.accepts());
        ground.pass(Duration.ofMinutes(2));
        assertEquals(5, ground.up.size());
    }

    @Test
    void whileCutOffWishesOfRelaysStillCount() {
        ground.usually(Behaviour.fails(new Failure.ConnectFailed()));
        ground.wantAll(0, 6, ONE);
        ground.pass(Duration.ofMinutes(1));
        assertTrue(ground.order.isCutOff());
        ground.does(0, Behaviour.answers(403));
        ground.forgetAttempts();
        ground.pass(Duration.ofHours(2));
        assertEquals(1, ground.secondsOf(0).size());
    }

    @Test
    void relaysThatRuleForbidsToAskDoNotShowAnOutage() {
        ground.usually(Behaviour.fails(new Failure.Policy(Rule.SHAPE, "private")));
        ground.wantAll(0, 10, ONE);
        ground.pass(Duration.ofMinutes(1));
        assertFalse(ground.order.isCutOff());
        assertEquals(4, ground.secondsOf(0).size(), "but they are tried ever more seldom");
    }

    // ---- our own limits

    @Test
    void noPlaceOfOurOwnIsNobodysFailure() {
        ground.does(7, Behaviour.fails(new Failure.Busy("all connections to this address are taken")));
        ground.want(7);
        ground.pass(Duration.ofSeconds(121));
        assertEquals(List.of(0L, 60L, 120L), ground.secondsOf(7));
        assertEquals(RelayStatus.DISCONNECTED, ground.status(7));
    }

    @Test
    void privateServiceIsParkedWithoutFailure() {
        ground.does(7, Behaviour.accepts().after(DAY));
        ground.want(7);
        ground.park(7, DAY);
        assertEquals(RelayStatus.POLICY_LIMITED, ground.status(7));
        ground.pass(DAY.minusSeconds(1));
        assertEquals(1, ground.attempts.size());
    }

    @Test
    void parkedRelayKeepsItsLink() {
        ground.want(7);
        ground.pass(SECOND);
        ground.order.parked(7, DAY);
        ground.pass(Duration.ofHours(1));
        assertEquals(RelayStatus.POLICY_LIMITED, ground.status(7));
        assertTrue(ground.up.containsKey(7));
    }

    // ---- the end

    @Test
    void nothingRunsWhenNothingIsToBeDone() {
        ground.wantAll(0, 50, ONE);
        ground.pass(Duration.ofMinutes(1));
        assertEquals(0, ground.loop.waiting());
    }

    @Test
    void nothingIsDialledAfterTheEnd() {
        ground.does(7, Behaviour.fails(new Failure.ConnectFailed()));
        ground.want(7);
        ground.pass(SECOND);
        ground.order.close();
        ground.want(8);
        ground.pass(Duration.ofMinutes(1));
        assertEquals(List.of(7), ground.dialled());
        assertEquals(0, ground.loop.waiting());
    }
}
