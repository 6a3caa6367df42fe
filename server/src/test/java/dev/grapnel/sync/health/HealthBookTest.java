package dev.grapnel.sync.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.sync.health.Learned.Trait;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// What is remembered of relays, and for how long (R4.35, R6.7).
final class HealthBookTest {
    private static final Backoff BACKOFF = HealthConfig.DEFAULTS.backoff();
    private static final RemoteUrl RELAY = url("wss://a.example/path?x=1");

    private HealthBook book = new HealthBook(HealthConfig.DEFAULTS);
    private long nanos = 99;
    private Instant wall = Instant.parse("2026-01-01T00:00:00Z");

    static RemoteUrl url(String text) {
        return RemoteUrl.parse(text, UrlShape.relay()).find().orElseThrow();
    }

    private Moment moment() {
        return new Moment(nanos, nanos);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
    }

    private void fail(RelayRecord record, int times) {
        for (int i = 0; i < times; i++) {
            record.failed(moment(), BACKOFF, RelayRecord.DEAD);
        }
    }

    /// The process ends, and another one begins after a while, whose clock begins elsewhere.
    private void restart(Duration downtime) {
        var bytes = book.encode(moment(), wall);
        wall = wall.plus(downtime);
        nanos = -12_345_678;
        book = new HealthBook(HealthConfig.DEFAULTS);
        assertEquals(Optional.empty(), book.restore(bytes, moment(), wall));
    }

    private RelayRecord record() {
        return book.follow(RELAY);
    }

    /// Row 123.
    @Test
    void backoffOutlivesThatNobodyWantsTheRelay() {
        var record = record();
        fail(record, 3);
        book.leave(RELAY, nanos, wall);
        assertSame(record, book.find(RELAY).orElseThrow());
        assertSame(record, record());
        assertEquals(3, record().streak(nanos));
    }

    /// Row 123.
    @Test
    void restartKeepsWaitsAndTimeGoesOnMeanwhile() {
        fail(record(), 10);
        record().coolDown(nanos, Duration.ofMinutes(30));
        record().park(nanos, Duration.ofHours(24));
        restart(Duration.ofMinutes(20));
        assertEquals(10, record().streak(nanos));
        assertEquals(Duration.ofMinutes(10), record().coolingFor(nanos));
        assertEquals(RelayStatus.RATE_LIMITED, record().status(moment()));
        pass(Duration.ofMinutes(10));
        assertEquals(RelayStatus.POLICY_LIMITED, record().status(moment()));
        assertEquals(Duration.ofHours(23).plusMinutes(30).toNanos(), record().left(nanos));
        record().unpark();
        assertEquals(Duration.ofSeconds(2560 - 1800).toNanos(), record().left(nanos));
        assertEquals(RelayStatus.DEGRADED, record().status(moment()));
        pass(Duration.ofHours(23).plusMinutes(30));
        assertEquals(RelayStatus.DEAD, record().status(moment()), "first failure before the restart");
    }

    @Test
    void restartForgetsNoDoublingAndNoFault() {
        record().coolDown(nanos, Duration.ZERO);
        pass(Duration.ofSeconds(70));
        record().addProtocolFault(nanos, Duration.ofHours(12));
        restart(Duration.ofMinutes(2));
        record().coolDown(nanos, Duration.ZERO);
        assertEquals(Duration.ofSeconds(130), record().coolingFor(nanos));
        assertEquals(Duration.ofHours(12).minusMinutes(2).toNanos(), record().protocolLeft(nanos));
        assertFalse(record().addProtocolFault(nanos, Duration.ofHours(12)), "somebody was told already");
        assertEquals(2, record().protocol().count());
    }

    @Test
    void whatWasLearnedOutlivesRestartsUntilItsOwnEnd() {
        record().learned().learn(Trait.WIDTH, 225, wall.plus(Duration.ofHours(24)));
        record().learned().learn(Trait.NO_EOSE, 0, wall.plus(Duration.ofHours(1)));
        restart(Duration.ofHours(2));
        assertEquals(OptionalLong.of(225), record().learned().find(Trait.WIDTH, wall));
        assertFalse(record().learned().has(Trait.NO_EOSE, wall));
        pass(Duration.ofHours(22));
        assertFalse(record().learned().has(Trait.WIDTH, wall));
    }

    /// R6.6: such a relay is worth a probe.
    @Test
    void restartKeepsThatThereWasALinkAndNothingElseOfWhoIsWell() {
        assertFalse(record().wasUp());
        record().opened(nanos);
        pass(Duration.ofHours(1));
        restart(Duration.ofHours(1));
        assertTrue(record().wasUp());
        assertEquals(RelayStatus.DISCONNECTED, record().status(moment()));
        restart(Duration.ofHours(1));
        assertTrue(record().wasUp());
        book.leave(RELAY, nanos, wall);
        assertTrue(record().wasUp());
    }

    @Test
    void everyTraitComesBack() {
        for (var trait : Trait.values()) {
            record().learned().learn(trait, trait.name().length(), wall.plus(Duration.ofHours(24)));
        }
        restart(Duration.ZERO);
        for (var trait : Trait.values()) {
            assertEquals(
                    OptionalLong.of(trait.name().length()), record().learned().find(trait, wall));
        }
    }

    /// A clock that was wrong before must not keep us away for years.
    @Test
    void dateFarAheadIsCutToTheLongestWaitThereIs() {
        fail(record(), 11);
        record().park(nanos, Duration.ofHours(24));
        record().coolDown(nanos, Duration.ZERO);
        record().addProtocolFault(nanos, Duration.ofHours(12));
        record().learned().learn(Trait.WIDTH, 100, wall.plus(Duration.ofHours(24)));
        restart(Duration.ofDays(-3650));
        assertEquals(Duration.ofHours(1), record().coolingFor(nanos));
        assertEquals(Duration.ofHours(24).toNanos(), record().left(nanos));
        assertEquals(Duration.ofHours(12).toNanos(), record().protocolLeft(nanos));
        assertEquals(RelayStatus.RATE_LIMITED, record().status(moment()));
        assertFalse(record().isDead(moment()));
        assertFalse(record().learned().has(Trait.WIDTH, wall.plus(Duration.ofDays(7))));
    }

    /// The wait was written down by a clock that was two hours ahead.
    @Test
    void clockThatIsSetBackMakesNoWaitLonger() {
        fail(record(), 2);
        restart(Duration.ofHours(-2));
        assertEquals(2, record().streak(nanos));
        assertEquals(Duration.ofSeconds(10).toNanos(), record().left(nanos));
    }

    @Test
    void clockThatIsSetBackMakesTheWaitForAPlaceNoLonger() {
        record().postpone(nanos, MachinePlaces.PATIENCE);
        record().learned().learn(Trait.RATE, 500, wall.plus(Duration.ofHours(24)));
        restart(Duration.ofHours(-2));
        assertEquals(MachinePlaces.PATIENCE.toNanos(), record().left(nanos));
    }

    @Test
    void linkThatIsUpAndStableLeavesNoFailuresInTheFile() {
        fail(record(), 9);
        record().opened(nanos);
        book.encode(moment(), wall);
        assertFalse(book.isChanged());
        pass(Duration.ofMinutes(5));
        book.settle(nanos);
        assertTrue(book.isChanged());
        restart(Duration.ofDays(2));
        assertEquals(0, record().streak(nanos));
    }

    @Test
    void sevenDaysLaterNothingIsKnown() {
        fail(record(), 3);
        book.leave(RELAY, nanos, wall);
        pass(Duration.ofDays(7).minusSeconds(1));
        book.prune(wall);
        restart(Duration.ZERO);
        assertEquals(1, book.size());
        pass(Duration.ofSeconds(1));
        restart(Duration.ZERO);
        assertEquals(0, book.size());
    }

    @Test
    void pruningForgetsAfterSevenDaysAndNeverWhoIsWanted() {
        fail(record(), 3);
        var other = url("wss://b.example");
        fail(book.follow(other), 3);
        book.leave(other, nanos, wall);
        pass(Duration.ofDays(7));
        book.prune(wall);
        assertEquals(Optional.empty(), book.find(other));
        assertTrue(book.find(RELAY).isPresent());
    }

    @Test
    void relayOfWhichNothingIsKnownLeavesNoTrace() {
        record();
        book.leave(RELAY, nanos, wall);
        assertEquals(0, book.size());
        book.leave(RELAY, nanos, wall);
        assertEquals(0, book.size());
    }

    /// Strangers name relays.
    @Test
    void beyondItsSizeItForgetsWhoWasUnwantedFirst() {
        book = new HealthBook(HealthConfig.DEFAULTS, 3);
        for (int i = 0; i < 5; i++) {
            var relay = url("wss://h" + i + ".example");
            fail(book.follow(relay), 1);
            if (i > 0) {
                book.leave(relay, nanos, wall);
            }
        }
        assertEquals(3, book.size());
        assertTrue(book.find(url("wss://h0.example")).isPresent(), "wanted");
        assertTrue(book.find(url("wss://h2.example")).isEmpty());
        assertTrue(book.find(url("wss://h3.example")).isPresent());
        assertTrue(book.find(url("wss://h4.example")).isPresent());
    }

    @Test
    void anyFlippedBitIsNoticed() {
        fail(record(), 3);
        record().learned().learn(Trait.RATE, 500, wall.plus(Duration.ofHours(1)));
        var bytes = book.encode(moment(), wall);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            var fresh = new HealthBook(HealthConfig.DEFAULTS);
            assertTrue(fresh.restore(bytes, moment(), wall).isPresent(), "bit " + bit);
            assertEquals(0, fresh.size());
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Test
    void cutFileIsNoticed() {
        fail(record(), 3);
        var bytes = book.encode(moment(), wall);
        for (int length = 0; length < bytes.length; length++) {
            var cut = Arrays.copyOf(bytes, length);
            assertTrue(new HealthBook(HealthConfig.DEFAULTS)
                    .restore(cut, moment(), wall)
                    .isPresent());
        }
    }

    /// R6.7, P-816.
    @Test
    void relayThatTheOperatorNamedAtALowPortIsRemembered() {
        var low = RemoteUrl.parse("wss://a.example:85", UrlShape.configuredRelay())
                .require();
        book.follow(low).failed(moment(), HealthConfig.DEFAULTS.backoff(), RelayRecord.DEAD);
        var bytes = book.encode(moment(), wall);
        book = new HealthBook(HealthConfig.DEFAULTS);
        book.restore(bytes, moment(), wall);
        assertEquals(1, book.follow(low).streak(nanos));
    }
}
