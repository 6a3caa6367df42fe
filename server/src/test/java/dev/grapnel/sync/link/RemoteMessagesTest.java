package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.link.FarRelay.Asked;
import dev.grapnel.sync.sim.RelayModels;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Live groups that a relay closes, and authentication (sync R4.18, R4.20, R4.22; tests 82 to 84).
final class RemoteMessagesTest {
    private static OneRelay busy() {
        return new OneRelay().announce(1).root(10, 1);
    }

    private static SubscriptionId group(OneRelay world) {
        return new SubscriptionId(world.relay.liveIds().stream()
                .filter(id -> id.startsWith("l"))
                .findFirst()
                .orElseThrow());
    }

    @Test
    void aLiveGroupThatIsClosedIsOpenedAgainAndCaughtUp() {
        var world = busy().settled();
        world.run(Duration.ofHours(1));
        world.relay.forget();
        var event = event(1111, world.wall(), "E", id(10).toString());
        world.relay.close(group(world), "error: live event buffer overflow");
        long closed = world.wall();
        world.relay.publish(event);
        world.seconds(4.9);
        assertEquals(List.of(), world.relay.asked());
        world.seconds(0.2);
        assertEquals(
                List.of("ldaAqeEq", "cdaAqeEq"),
                world.relay.asked().stream()
                        .limit(2)
                        .map(one -> one.role() + one.letters())
                        .toList());
        assertTrue(world.relay.asked(Asked::isCatchUp).getFirst().filters().stream()
                .allMatch(filter -> filter.since().equals(OptionalLong.of(closed - 900))));
        assertTrue(world.home.has(event));
        assertEquals(1, world.relay.opened());
    }

    @Test
    void announcementsThatAreClosedAreOpenedAgainAndCaughtUp() {
        var world = busy().settled();
        world.relay.forget();
        long closed = world.wall();
        world.relay.close(new SubscriptionId(world.relay.liveIds().getFirst()), "error: what");
        world.seconds(6);
        assertEquals(
                List.of("a ", "c "),
                world.relay.asked().stream()
                        .map(one -> one.role() + one.letters())
                        .toList());
        assertEquals(
                OptionalLong.of(closed - 900), world.relay.asked().getLast().since());
    }

    @Test
    void aLiveGroupThatIsClosedAgainAndAgainIsOpenedMoreAndMoreSlowly() {
        var world = busy();
        world.relay.closes(one -> one.role() == 'l', "error: not now");
        world.start();
        world.run(Duration.ofMinutes(30));
        var times = world.relay.asked(one -> one.role() == 'l').stream()
                .map(one -> (int) one.second())
                .toList();
        assertEquals(List.of(0, 5, 15, 35, 75, 155, 315, 615, 915, 1215, 1515), times);
        assertEquals(1, world.relay.opened());
    }

    @Test
    void coverageStandsStillWhileALiveGroupIsClosed() {
        var world = busy().settled();
        world.run(Duration.ofMinutes(10));
        world.relay.notice("hello");
        world.seconds(0.001);
        long closed = world.wall();
        world.relay.closes(one -> one.role() == 'l', "error: not now");
        world.relay.close(group(world), "error: not now");
        world.run(Duration.ofMinutes(10));
        assertEquals(OptionalLong.of(closed), world.coveredUntil());
        world.relay.honest();
        world.run(Duration.ofMinutes(10));
        assertTrue(world.coveredUntil().orElseThrow() >= world.wall() - 30);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate-limited: active subscriptions exceed max size 700000 bytes",
                "too many filters",
                "too many negentropy items",
                "too many concurrent NEG requests",
                "too many concurrent REQs",
                "item too large",
                "invalid: limit must be positive",
                "auth-required: who are you",
                "rate-limited: slow down",
                "restricted: members only",
                "invalid: what",
                "error: shutting down",
                ""
            })
    void noWordOfClosedEndsAConnection(String text) {
        var world = busy();
        var isOn = new AtomicBoolean();
        Predicate<Asked> some =
                one -> isOn.get() && (one.role() == 'l' || one.values('A').contains(repo(1).toString()));
        world.relay.closes(some, text);
        world.settled();
        isOn.set(true);
        world.relay.forget();
        world.relay.close(group(world), text);
        world.announce(2);
        world.run(Duration.ofMinutes(10));
        assertTrue(world.relay.isConnected());
        assertEquals(1, world.relay.opened());
        assertTrue(
                world.relay.asked().size() < 250,
                () -> "and is not asked " + world.relay.asked().size() + " times");
    }

    // ---- authentication

    /// Wants to know who asks; known is whoever answers.
    private static OneRelay curious(Predicate<Asked> which, boolean isKnown) {
        var world = busy();
        var relay = world.relay;
        var known = new AtomicBoolean();
        relay.manner(one -> {
            if (one.id().text().equals("a1")) {
                relay.say(new RelayMessage.Challenge("riddle"));
            }
            if (which.test(one) && !known.get()) {
                relay.close(one.id(), "auth-required: who are you");
            } else {
                relay.serve(one);
            }
        });
        relay.otherwise(message -> {
            if (message instanceof ClientMessage.Authenticate(var event)) {
                known.set(isKnown);
                relay.say(new RelayMessage.Ok(event.id().toString(), isKnown, isKnown ? "" : "error: no"));
            }
        });
        return world;
    }

    @Test
    void aRequestThatNeedsAuthenticationIsRepeatedAfterOne() {
        var world = curious(_ -> true, true).settled();
        assertEquals(1, world.relay.count(ClientMessage.Authenticate.class));
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(8, world.relay.liveFilters().size());
        var event = event(1111, world.wall(), "E", id(10).toString());
        world.relay.publish(event);
        world.seconds(1);
        assertTrue(world.home.has(event));
    }

    @Test
    void aHistoricRequestThatNeedsAuthenticationIsRepeatedOnce() {
        var world = curious(one -> one.isHistoric() && one.letters().equals("A"), true)
                .settled();
        assertEquals(1, world.relay.count(ClientMessage.Authenticate.class));
        assertEquals(
                2,
                world.relay
                        .asked(one -> one.isHistoric() && one.letters().equals("A"))
                        .size());
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void aRequestThatIsRefusedAgainAfterAuthenticationIsLeftAlone() {
        var world = curious(_ -> false, true);
        var usual = world.relay.manner();
        world.relay.manner(one -> {
            if (one.isHistoric() && one.letters().equals("A")) {
                world.time.after(Duration.ofSeconds(1), () -> world.relay.close(one.id(), "auth-required: still"));
            } else {
                usual.accept(one);
            }
        });
        world.settled();
        world.run(Duration.ofHours(1));
        assertEquals(
                2,
                world.relay
                        .asked(one -> one.isHistoric() && one.letters().equals("A"))
                        .size());
        assertEquals(LinkState.WITH_FAILURES, world.state());
    }

    @Test
    void aChallengeAloneIsNotAnswered() {
        var world = curious(_ -> false, true).settled();
        world.run(Duration.ofHours(1));
        assertEquals(0, world.relay.count(ClientMessage.Authenticate.class));
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void furtherChallengesAreNotAnsweredUntilSomethingIsRefused() {
        var world = curious(one -> one.isHistoric() && one.letters().equals("A"), true)
                .settled();
        for (int i = 0; i < 50; i++) {
            world.relay.say(new RelayMessage.Challenge("riddle " + i));
        }
        world.seconds(60);
        assertEquals(1, world.relay.count(ClientMessage.Authenticate.class));
    }

    @Test
    void whoeverWantsToKnowUsAgainAndAgainHearsOfUsAFewTimesOnly() {
        var world = curious(_ -> false, true).settled();
        for (int i = 0; i < 500; i++) {
            world.relay.say(new RelayMessage.Challenge("riddle " + i));
            world.relay.notice("auth-required: who are you");
            world.seconds(0.1);
        }
        assertEquals(20, world.relay.count(ClientMessage.Authenticate.class));
        assertEquals(LinkState.CONNECTED, world.state());
    }

    /// Tells whoever answers its riddle that nobody is welcome (R4.23).
    private static OneRelay unwelcoming() {
        var world = curious(one -> one.letters().contains("A"), false);
        world.relay.otherwise(message -> {
            if (message instanceof ClientMessage.Authenticate(var event)) {
                world.relay.say(new RelayMessage.Ok(event.id().toString(), false, "restricted: members only"));
            }
        });
        return world.settled();
    }

    @Test
    void aRelayThatDoesNotWantUsAndHangsUpIsLeftAloneForADay() {
        var world = unwelcoming();
        world.relay.drop();
        world.run(Duration.ofHours(23));
        assertEquals(1, world.relay.opened());
        assertEquals(RelayStatus.POLICY_LIMITED, world.picture().status());
        assertEquals(0, world.picture().failures());
        world.run(Duration.ofHours(2));
        assertEquals(2, world.relay.opened());
    }

    @Test
    void aRelayThatDoesNotWantUsAndIsLeftByUsMayBeDialledAgain() {
        var world = unwelcoming();
        world.unannounce(1);
        world.seconds(130);
        assertFalse(world.isFollowed(world.relay));
        world.announce(2);
        world.seconds(30);
        assertEquals(2, world.relay.opened());
    }

    @Test
    void afterAFailedAuthenticationTheLinkStaysForWhatIsPublic() {
        var world = curious(one -> one.letters().contains("A"), false).settled();
        world.run(Duration.ofHours(1));
        assertEquals(1, world.relay.count(ClientMessage.Authenticate.class));
        assertEquals(1, world.linkNotes(LinkNote.AuthenticationFailed.class).size());
        assertEquals(1, world.relay.opened());
        assertEquals(LinkState.WITH_FAILURES, world.state());
        assertEquals(
                1,
                world.relay
                        .asked(one -> one.isHistoric() && one.letters().equals("A"))
                        .size());
        assertFalse(world.relay
                .asked(one -> one.isHistoric() && one.letters().equals("E"))
                .isEmpty());
    }

    /// R4.21: it names no request, so the relay would go on as if it had never heard of what is to be streamed.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate limit exceeded, slow down",
                "ERROR: too many requests, slow down",
                "auth-required: please",
                "ERROR: bad req: could not process"
            })
    void whatIsToBeStreamedAndIsRefusedByANoticeIsOpenedAgain(String text) {
        try (var link = new OneLink(RelayModels.plain(500))) {
            var repository = link.repository("noticed");
            link.relay()
                    .play(Grudge.noticing(
                            2, text, message -> Grudge.hasRole(message, 'a') || Grudge.hasRole(message, 'l')));
            link.run(Duration.ofMinutes(4));
            var issue = OneLink.event(1621, link.wall(), List.of("a", repository));
            link.relay().relay().publish(issue);
            link.run(Duration.ofSeconds(2));
            link.assertHas(List.of(issue));
        }
    }

    @Test
    void aRelayThatNeverEndsWhatItStreamsIsLeftInPeaceSoon() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            link.relay().play(new Ear.Script() {
                @Override
                public List<RelayMessage> says(RelayMessage message) {
                    boolean isOfLive = message instanceof RelayMessage.EndOfStored(var id, var _)
                            && "al".indexOf(id.text().charAt(0)) >= 0;
                    return isOfLive ? List.of() : List.of(message);
                }
            });
            link.repository("endless");
            link.run(Duration.ofMinutes(30));
            int opened = link.relay().requests('l').size();
            assertTrue(opened > 1 && opened <= 8, () -> "opened " + opened);
            link.run(Duration.ofHours(3));
            assertEquals(opened, link.relay().requests('l').size());
        }
    }
}
