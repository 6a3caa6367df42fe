package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.link.Ear.Frame;
import dev.grapnel.sync.sim.Endpoint;
import dev.grapnel.sync.sim.RelayModels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What follows when a relay wants to be asked less (R4.28, R4.29, R3.15, tests 93 to 97, 155, 156).
final class RateLimitTest {
    private static final String SLOW = "rate-limited: slow down";
    private static final Duration COOLDOWN = Duration.ofSeconds(65);

    private static void runUntilCooling(OneLink link) {
        link.runUntil(
                () -> link.isFollowed() && link.portrait().status() == RelayStatus.RATE_LIMITED, Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CLOSED", "NEG-ERR", "NOTICE"})
    void wordsOfARateBeginACooldownWhereverTheyStand(String where) {
        try (var link = new OneLink(RelayModels.honest(500))) {
            link.repository("slow");
            if (where.equals("CLOSED")) {
                link.relay().play(Grudge.closing(1, "Too MANY requests", message -> Grudge.hasRole(message, 'l')));
            } else if (where.equals("NEG-ERR")) {
                link.relay().play(Grudge.closing(1, "Rate LIMITED", Grudge::isOpening));
            }
            link.run(Duration.ofSeconds(1));
            if (where.equals("NOTICE")) {
                link.relay().say(new RelayMessage.Notice("Slow DOWN, please"));
                link.run(Duration.ofSeconds(1));
            }
            assertEquals(RelayStatus.RATE_LIMITED, link.portrait().status());
            assertEquals(1, link.notes(LinkNote.RateLimited.class).size());
            link.settle();
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    /// R4.27, R4.28: said before there is a connection, it is said all the same.
    @Test
    void aHandshakeThatIsAnsweredWith429HalvesTheRateToo() {
        var world = new OneRelay().announce(1).settled();
        world.relay.door(FarRelay.Door.BUSY);
        world.relay.drop();
        world.seconds(10);
        assertEquals(RelayStatus.RATE_LIMITED, world.picture().status());
        assertEquals(0, world.notes(SyncNote.Resumed.class).size());
        world.relay.door(FarRelay.Door.OPEN);
        world.seconds(65);
        assertEquals(1, world.notes(SyncNote.Resumed.class).size());
        assertEquals(1_000, world.picture().rate());
        assertEquals(2, world.relay.opened());
    }

    @Test
    void tooManyRequestsAtOnceAreNoMatterOfTheirRate() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            link.repository("full");
            link.relay().play(Grudge.closing(1, "rate-limited: too many REQs", Grudge::isPage));
            link.settle();
            assertEquals(List.of(), link.notes(LinkNote.RateLimited.class));
            assertEquals(List.of("subscriptions"), structural(link));
        }
    }

    private static List<String> structural(OneLink link) {
        return link.notes(LinkNote.Structural.class).stream()
                .map(LinkNote.Structural::limit)
                .toList();
    }

    @Test
    void nothingIsAskedWhileTheRelayRestsAndHalfAsMuchAfterwards() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            var repository = link.repository("resting");
            link.relay().play(Grudge.closing(1, SLOW, message -> Grudge.isPageBy(message, 'A')));
            runUntilCooling(link);
            var refusedAt = link.now();
            int asked = link.relay().asked().size();
            link.run(Duration.ofSeconds(20));
            var issue = link.issue(repository, "found meanwhile");
            link.relay().say(new RelayMessage.Notice(SLOW));
            link.run(Duration.ofSeconds(20));
            link.relay().say(new RelayMessage.Notice(SLOW));
            link.run(Duration.ofSeconds(24));
            assertEquals(asked, link.relay().asked().size());
            assertEquals(RelayStatus.RATE_LIMITED, link.portrait().status());
            link.run(Duration.ofSeconds(2));
            var after = link.relay().asked().subList(asked, link.relay().asked().size());
            assertNotEquals(RelayStatus.RATE_LIMITED, link.portrait().status());
            assertTrue(after.stream().anyMatch(frame -> Grudge.isPageBy(frame.message(), 'A')), after::toString);
            assertTrue(
                    after.stream()
                            .anyMatch(frame -> frame.isRequest('l')
                                    && asksFor(frame, issue.id().toHex())),
                    after::toString);
            assertTrue(after.getFirst().at().compareTo(refusedAt.plus(COOLDOWN).minusMillis(200)) > 0);
            assertEquals(1_000, link.portrait().rate());
        }
    }

    private static boolean asksFor(Frame frame, String value) {
        return frame.filters().stream()
                .anyMatch(filter -> OneLink.values(filter, 'e').contains(value));
    }

    @Test
    void theSlotOfARefusedRequestIsNotUsedBeforeItsWordsAreHeeded() {
        try (var link = new OneLink(RelayModels.plain(500), OneLink.config(1, 10_000, false))) {
            link.issues(link.repository("busy"), 20);
            link.relay().play(Grudge.closing(1, SLOW, Grudge::isPage));
            runUntilCooling(link);
            var first = link.relay().requests('h').getFirst();
            link.run(Duration.ofSeconds(60));
            assertEquals(
                    List.of(),
                    link.relay()
                            .frames(frame -> frame.isRequest('h')
                                    && frame.at().compareTo(first.at().plusMillis(19)) > 0));
        }
    }

    @Test
    void pagingGoesOnWhereItWasWhenTheCooldownIsOver() {
        try (var link = new OneLink(RelayModels.plain(20))) {
            var root = link.issue(link.repository("long"), "much to say");
            var all = link.reactions(root, 100);
            all.forEach(link.relay().relay()::put);
            var untils = new ArrayList<OptionalLong>();
            var third = Grudge.closing(1, SLOW, message -> Grudge.isPageBy(message, 'e') && untils.size() == 3);
            link.relay().play(new Ear.Script() {
                @Override
                public boolean hears(ClientMessage message, Endpoint.Peer client) {
                    if (Grudge.isPageBy(message, 'e')
                            && message instanceof ClientMessage.Subscribe(var _, var filters)) {
                        untils.add(filters.getFirst().until());
                    }
                    return third.hears(message, client);
                }
            });
            link.settle();
            link.assertHas(all);
            assertEquals(1, link.notes(LinkNote.RateLimited.class).size());
            assertEquals(untils.get(2), untils.get(3));
            assertEquals(1, untils.stream().filter(OptionalLong::isEmpty).count());
        }
    }

    @Test
    void whatWasMissedWaitsForTheEndOfTheCooldownToo() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            link.repository("missed");
            link.settle();
            link.relay().play(Grudge.closing(1, SLOW, message -> Grudge.hasRole(message, 'c')));
            link.drop();
            runUntilCooling(link);
            link.run(Duration.ofSeconds(63));
            assertEquals(1, link.relay().requests('c').size());
            link.settle();
            assertEquals(2, link.relay().requests('c').size());
        }
    }

    @Test
    void otherRelaysDoNotWaitForOneThatRests() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            var other = link.addRelay("other.example.com", RelayModels.plain(500));
            var root = link.issue(link.repository("shared", link.relay(), other), "at two places");
            var there = link.reactions(root, 5);
            there.forEach(other.relay()::put);
            link.relay().play(Grudge.closing(Integer.MAX_VALUE, SLOW, Grudge::isPage));
            link.run(Duration.ofSeconds(30));
            assertEquals(RelayStatus.RATE_LIMITED, link.portrait().status());
            assertEquals(LinkState.CONNECTED, link.portrait(other).link().state());
            link.assertHas(there);
        }
    }

    @Test
    void whoeverRefusesAgainAndAgainIsLeftAloneLongerAndLonger() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            link.repository("angry");
            link.relay().play(Grudge.closing(Integer.MAX_VALUE, SLOW, Grudge::isPage));
            var rests = new ArrayList<Long>();
            for (int time = 0; time < 8; time++) {
                runUntilCooling(link);
                rests.add(link.portrait().coolingFor().plusMillis(500).toSeconds());
                if (time == 2) {
                    link.drop(); // a new connection changes nothing
                }
                link.run(link.portrait().coolingFor().plusMillis(1));
            }
            assertEquals(List.of(65L, 130L, 260L, 520L, 1_040L, 2_080L, 3_600L, 3_600L), rests);
            assertEquals(2, link.relay().dials());
            link.relay().play(new Ear.Script() {});
            link.run(Duration.ofMinutes(31));
            link.relay().say(new RelayMessage.Notice(SLOW));
            link.run(Duration.ofSeconds(1));
            assertEquals(64, link.portrait().coolingFor().toSeconds());
        }
    }

    @Test
    void aRelayWithFewQueriesAMinuteRefusesOnlyOnceInAnHour() {
        try (var link = new OneLink(RelayModels.plain(1).queries(120, "rate-limited: too many queries"))) {
            var root = link.issue(link.repository("poor"), "one at a time");
            var all = link.reactions(root, 250);
            all.forEach(link.relay().relay()::put);
            link.settle(Duration.ofMinutes(50));
            link.assertHas(all);
            assertEquals(1, link.notes(LinkNote.RateLimited.class).size());
            assertTrue(mostWithin(link.relay().asked(), Duration.ofMinutes(1)) <= 131);
        }
    }

    /// How many came in the busiest span of this length.
    private static long mostWithin(List<Frame> frames, Duration span) {
        long most = 0;
        int first = 0;
        for (int last = 0; last < frames.size(); last++) {
            while (frames.get(last).at().minus(frames.get(first).at()).compareTo(span) >= 0) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    @Test
    void theRateDoublesEachMinuteInWhichWorkWaits() {
        try (var link = new OneLink(RelayModels.plain(1))) {
            var root = link.issue(link.repository("patient"), "one at a time");
            link.reactions(root, 900).forEach(link.relay().relay()::put);
            link.settle(Duration.ofMinutes(10));
            var pages = link.relay().requests('h');
            var counts = new ArrayList<Long>();
            for (int minute = 0; minute < 3; minute++) {
                long at = minute;
                counts.add(pages.stream()
                        .filter(frame -> frame.at().toMinutes() == at)
                        .count());
            }
            assertTrue(counts.get(0) <= 130 && counts.get(0) >= 120, counts::toString);
            assertTrue(counts.get(1) <= 241 && counts.get(1) >= 235, counts::toString);
            assertTrue(counts.get(2) <= 481 && counts.get(2) >= 470, counts::toString);
        }
    }

    @Test
    void comparisonsRestUntilTheNextConnectionWhereQueriesAreCounted() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var root = link.issue(link.repository("counting"), "by pages then");
            var all = link.reactions(root, 5);
            all.forEach(link.relay().relay()::put);
            link.relay().play(Grudge.closing(1, "rate-limited: too many queries", Grudge::isOpening));
            runUntilCooling(link);
            link.run(Duration.ofSeconds(1)); // what was sent before may be answered
            int compared = link.relay().openings().size();
            link.settle();
            link.assertHas(all);
            assertEquals(compared, link.relay().openings().size());
            link.world().network().stop(link.relay().url());
            link.run(Duration.ofMinutes(16));
            link.world().network().start(link.relay().url());
            link.run(Duration.ofMinutes(30));
            assertTrue(link.relay().openings().size() > compared);
        }
    }

    @Test
    void framesStayBelowFiftyEachSecond() {
        var model =
                RelayModels.plain(500).filters(1, "no").subscriptions(400, "no").disclosing();
        try (var link = new OneLink(model, OneLink.narrow(1))) {
            link.issues(link.repository("wide"), 60);
            link.settle();
            var frames = link.relay().frames();
            assertTrue(link.relay().requests('l').size() > 150);
            long most = mostWithin(frames, Duration.ofSeconds(1));
            assertTrue(most < 50 && most > 40, () -> "most " + most);
            assertFalse(frames.stream().anyMatch(frame -> frame.filters().size() > 1));
        }
    }

    @Test
    void whatIsNotSentYetWaitsForTheEndOfTheCooldown() {
        var model =
                RelayModels.plain(500).filters(1, "no").subscriptions(400, "no").disclosing();
        try (var link = new OneLink(model, OneLink.narrow(1))) {
            link.issues(link.repository("wide"), 60);
            link.relay().play(Grudge.closing(1, SLOW, message -> Grudge.hasRole(message, 'l')));
            runUntilCooling(link);
            link.run(Duration.ofMillis(100));
            int asked = link.relay().asked().size();
            assertTrue(asked < 100, () -> "asked " + asked);
            link.run(COOLDOWN.minusSeconds(2));
            assertEquals(asked, link.relay().asked().size());
            link.settle(Duration.ofMinutes(10));
            assertTrue(link.relay().open().size() > 150);
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    @Test
    void aComparisonThatIsBeingPreparedWaitsForTheEndOfTheCooldown() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            link.repository("slow");
            link.relay().play(new Ear.Script() {
                private boolean hasSpoken;

                @Override
                public List<RelayMessage> says(RelayMessage message) {
                    boolean isFirst = !hasSpoken
                            && message instanceof RelayMessage.EndOfStored(var id, var _)
                            && id.text().startsWith("l");
                    hasSpoken |= isFirst;
                    return isFirst ? List.of(message, new RelayMessage.Notice(SLOW)) : List.of(message);
                }
            });
            runUntilCooling(link);
            var before = link.relay().openings();
            link.run(COOLDOWN.minusSeconds(5));
            assertEquals(before, link.relay().openings());
            assertEquals(List.of(), before);
            link.settle();
            assertTrue(link.relay().openings().size() > 1);
        }
    }
}
