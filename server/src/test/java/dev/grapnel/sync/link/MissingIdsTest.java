package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.link.Ear.Frame;
import dev.grapnel.sync.sim.Endpoint;
import dev.grapnel.sync.sim.Lies;
import dev.grapnel.sync.sim.RelayModels;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Events that a comparison names: which are asked for, how often, and what follows if they do not come (R5.6 to R5.8,
/// tests 100 to 104).
final class MissingIdsTest {
    /// Names events in comparisons that it does not give.
    private static final class Withholding implements Ear.Script {
        private final Set<EventId> withheld = new HashSet<>();

        private Withholding(List<Event> events) {
            events.forEach(event -> withheld.add(event.id()));
        }

        @Override
        public List<RelayMessage> says(RelayMessage message) {
            return message instanceof RelayMessage.Delivery(var id, var event)
                            && id.text().startsWith("i")
                            && withheld.contains(event.id())
                    ? List.of()
                    : List.of(message);
        }
    }

    private static List<Event> followed(OneLink link, int reactions) {
        var root = link.issue(link.repository("compared"), "much to say");
        var all = link.reactions(root, reactions);
        all.forEach(link.relay().relay()::put);
        return all;
    }

    private static List<EventId> asked(List<Frame> requests) {
        return requests.stream()
                .flatMap(frame -> frame.filter().ids().orElseThrow().stream())
                .toList();
    }

    private static List<Integer> sizes(List<Frame> requests) {
        return requests.stream()
                .map(frame -> frame.filter().ids().orElseThrow().size())
                .toList();
    }

    private static void away(OneLink link) {
        link.world().network().stop(link.relay().url());
        link.run(Duration.ofMinutes(20));
        link.world().network().start(link.relay().url());
        int generation = link.portrait().link().generation();
        link.runUntil(() -> link.portrait().link().generation() > generation, Duration.ofHours(1));
        link.settle();
    }

    @Test
    void everythingMissingIsFetchedAHundredAtATime() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 250);
            link.settle();
            link.assertHas(all);
            assertEquals(List.of(100, 100, 50), sizes(link.relay().requests('i')));
            assertEquals(List.of(), link.relay().requests('h'));
        }
    }

    @Test
    void atMostFourFetchesAreUnderWay() {
        try (var link = new OneLink(RelayModels.honest(500).thinking(Duration.ofSeconds(1)))) {
            var all = followed(link, 600);
            link.settle();
            link.assertHas(all);
            var requests = link.relay().requests('i');
            int live = link.relay().open().size();
            assertEquals(6, requests.size());
            assertEquals(
                    4, requests.stream().mapToInt(Frame::subscriptions).max().orElseThrow() - live);
        }
    }

    /// Reactions that two comparisons name while both are under way.
    private static List<Event> namedTwice(OneLink link) {
        var id =
                link.issue(link.repository("twice"), "named by e and by E").id().toHex();
        var all = IntStream.range(0, 30)
                .mapToObj(number ->
                        OneLink.event(OneLink.REACTION, link.wall() - number, List.of("e", id), List.of("E", id)))
                .toList();
        all.forEach(link.relay().relay()::put);
        return all;
    }

    @Test
    void anEventThatTwoComparisonsNameIsFetchedOnce() {
        try (var link = new OneLink(RelayModels.honest(500).thinking(Duration.ofSeconds(1)))) {
            var all = namedTwice(link);
            link.settle();
            link.assertHas(all);
            var asked = asked(link.relay().requests('i'));
            assertEquals(all.size(), asked.size());
            assertEquals(all.size(), new HashSet<>(asked).size());
        }
    }

    @Test
    void anEventThatTwoComparisonsNameIsMissedOnce() {
        try (var link = new OneLink(RelayModels.honest(500).thinking(Duration.ofSeconds(1)))) {
            var missing = namedTwice(link).subList(5, 6);
            link.relay().play(new Withholding(missing));
            link.settle();
            link.run(Duration.ofMinutes(5));
            var id = missing.getFirst().id();
            var at = link.relay().requests('i').stream()
                    .filter(frame -> frame.filter().ids().orElseThrow().contains(id))
                    .map(Frame::at)
                    .toList();
            assertEquals(3, at.size());
            assertTrue(at.get(1).minus(at.get(0)).compareTo(Duration.ofSeconds(5)) < 0, at::toString);
            OneLink.assertAbout(60, at.get(2).minus(at.get(1)).toSeconds());
        }
    }

    @Test
    void whatOneRelayIsAskedForIsAskedOfAnotherOnlyIfItDoesNotCome() {
        var model = RelayModels.honest(500).thinking(Duration.ofSeconds(1));
        try (var link = new OneLink(model)) {
            var other = link.addRelay("other.example.com", model);
            var root = link.issue(link.repository("shared", link.relay(), other), "at two places");
            var all = link.reactions(root, 30);
            all.forEach(link.relay().relay()::put);
            all.forEach(other.relay()::put);
            link.relay().play(new Withholding(all.subList(0, 1)));
            other.play(new Withholding(all.subList(1, 2)));
            link.settle();
            link.run(Duration.ofSeconds(20));
            link.assertHas(all);
            var asked = new ArrayList<>(asked(link.relay().requests('i')));
            asked.addAll(asked(other.requests('i')));
            assertTrue(asked.size() <= all.size() + 3, () -> "asked for " + asked.size());
        }
    }

    @Test
    void whatIsHeldRefusedDeletedOrOutdatedIsNotFetched() {
        try (var link = new OneLink(RelayModels.honest(500).keeping(false, false))) {
            var held = link.state("compared", 2);
            var deleted = followed(link, 1).getFirst();
            var outdated = link.announcement("compared", link.wall() - 100);
            var refused =
                    StoreSamples.event(5, Kinds.ANNOUNCEMENT, link.wall(), List.of(List.of("d", "elsewhere")), "");
            List.of(held, outdated, refused).forEach(link.relay().relay()::put);
            link.serve(held); // without its git data
            link.serve(deleted);
            link.serve(OneLink.event(
                    Kinds.DELETION, link.wall(), List.of("e", deleted.id().toHex())));
            assertTrue(link.node().heldIds().contains(held.id()));
            link.settle();
            var first = asked(link.relay().requests('i'));
            assertFalse(first.contains(held.id()));
            assertFalse(first.contains(deleted.id()));
            assertTrue(first.contains(refused.id())); // nobody here knew it
            link.relay().forget();
            away(link);
            assertFalse(link.relay().openings().isEmpty());
            assertEquals(List.of(), asked(link.relay().requests('i')));
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    @Test
    void whatHadItsTimeInPurgatoryIsNotFetched() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            followed(link, 1);
            var waiting = link.state("compared", 2);
            link.serve(waiting); // without its git data
            assertTrue(link.node().heldIds().contains(waiting.id()));
            link.settle();
            link.run(Duration.ofHours(6));
            assertFalse(link.node().heldIds().contains(waiting.id()));
            link.relay().relay().put(waiting);
            link.relay().forget();
            away(link);
            assertFalse(link.relay().openings().isEmpty());
            assertFalse(asked(link.relay().requests('i')).contains(waiting.id()));
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    @Test
    void whatDoesNotComeIsAskedForFourTimesMoreAndThenNotForADay() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 150);
            var missing = all.subList(0, 60);
            link.relay().play(new Withholding(missing));
            link.settle();
            assertEquals(LinkState.WITH_FAILURES, link.state());
            link.run(Duration.ofHours(1));
            var requests = link.relay().requests('i');
            assertEquals(List.of(100, 50), sizes(requests).subList(0, 2));
            var again = requests.subList(2, requests.size());
            assertEquals(List.of(25, 25, 10, 25, 25, 10, 25, 25, 10), sizes(again));
            var at = again.stream().map(Frame::at).toList();
            assertTrue(at.get(2).minus(requests.get(1).at()).compareTo(Duration.ofSeconds(5)) < 0, at::toString);
            OneLink.assertAbout(60, at.get(3).minus(at.get(2)).toSeconds());
            OneLink.assertAbout(600, at.get(6).minus(at.get(5)).toSeconds());
            assertEquals(LinkState.WITH_FAILURES, link.state());
            link.run(Duration.ofHours(2));
            requests = link.relay().requests('i');
            OneLink.assertAbout(7_200, requests.get(11).at().minus(at.get(8)).toSeconds());
            assertEquals(14, requests.size());
            assertEquals(LinkState.CONNECTED, link.state());
            assertEquals(60, link.portrait().link().phantoms());
            assertFalse(link.portrait().learned().containsKey(Trait.BROKEN_NEGENTROPY));
            away(link);
            assertEquals(14, link.relay().requests('i').size());
            link.relay().play(new Ear.Script() {});
            link.run(Duration.ofHours(24));
            away(link);
            link.assertHas(all);
        }
    }

    @Test
    void whatCameFromElsewhereMeanwhileIsNotAskedForAgain() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 100);
            var missing = all.subList(0, 2);
            link.relay().play(new Withholding(missing));
            link.settle();
            link.run(Duration.ofSeconds(10));
            int before = link.relay().requests('i').size();
            missing.forEach(link::serve);
            link.run(Duration.ofHours(3));
            assertEquals(before, link.relay().requests('i').size());
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    /// An answer that does not come is no evidence (R4.17).
    @Test
    void whoDoesNotAnswerForIdsIsAskedAgainAndNotJudged() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 30);
            var isFirst = new AtomicBoolean(true);
            link.relay().play(new Ear.Script() {
                @Override
                public boolean hears(ClientMessage message, Endpoint.Peer client) {
                    return Grudge.hasRole(message, 'i') && isFirst.getAndSet(false);
                }
            });
            link.runUntil(() -> link.relay().requests('i').size() == 2, Duration.ofMinutes(5));
            var requests = link.relay().requests('i');
            OneLink.assertAbout(
                    180, requests.get(1).at().minus(requests.get(0).at()).toSeconds());
            assertEquals(List.of(30, 30), sizes(requests));
            link.settle();
            link.assertHas(all);
            assertFalse(link.portrait().learned().containsKey(Trait.BROKEN_NEGENTROPY));
            assertEquals(
                    List.of(new LinkNote.Watchdog("negentropy_hydration", true)), link.notes(LinkNote.Watchdog.class));
        }
    }

    @Test
    void oneEventThatDoesNotExistIsNoVerdict() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 1_000);
            link.relay().play(new Withholding(all.subList(7, 8)));
            link.settle();
            link.run(Duration.ofHours(3));
            assertFalse(link.portrait().learned().containsKey(Trait.BROKEN_NEGENTROPY));
            assertEquals(1, link.portrait().link().phantoms());
        }
    }

    @Test
    void whoDeliversTwoOfTwentyIsReadByPages() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 20);
            link.relay().play(new Withholding(all.subList(2, 20)));
            link.settle();
            link.assertHas(all);
            assertTrue(link.portrait().learned().containsKey(Trait.BROKEN_NEGENTROPY));
            assertEquals(
                    1,
                    link.relay()
                            .frames(frame -> Grudge.isPageBy(frame.message(), 'e')
                                    && frame.filter().until().isEmpty())
                            .size());
            assertEquals(List.of(20), sizes(new ArrayList<>(link.relay().requests('i'))));
        }
    }

    @Test
    void whoDeliversThreeOfTwentyOneIsBelieved() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 21);
            link.relay().play(new Withholding(all.subList(3, 21)));
            link.settle();
            assertFalse(link.portrait().learned().containsKey(Trait.BROKEN_NEGENTROPY));
            assertFalse(link.has(all));
        }
    }

    @Test
    void whoNamesThousandsThatDoNotExistIsReadByPagesBeforeAllAreAskedFor() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 20);
            link.relay().relay().lie(Lies.NEED_FLOOD.make());
            link.runUntil(() -> link.has(all), Duration.ofMinutes(15));
            assertTrue(link.portrait().learned().containsKey(Trait.BROKEN_NEGENTROPY));
            link.settle(Duration.ofMinutes(15));
            assertTrue(
                    link.relay().requests('i').size() < 200,
                    "asked " + link.relay().requests('i').size());
        }
    }

    private static void assertIsReadOnce(OneLink link) {
        var first = link.relay().requests('h').stream()
                .map(Frame::filter)
                .filter(filter -> filter.until().isEmpty())
                .map(Object::toString)
                .sorted()
                .toList();
        assertEquals(first.stream().distinct().toList(), first);
    }

    @Test
    void whoNamesThousandsThatDoNotExistIsReadOnce() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            followed(link, 20);
            link.relay().relay().lie(Lies.NEED_FLOOD.make());
            link.settle(Duration.ofMinutes(15));
            assertIsReadOnce(link);
        }
    }

    /// The comparison is read by pages when it stalls; that what it named does not come is found out later.
    @Test
    void whoNamesThousandsAndThenStallsIsReadOnce() {
        try (var link = new OneLink(RelayModels.honest(500).thinking(Duration.ofSeconds(8)))) {
            followed(link, 20);
            link.relay().relay().lie(Lies.NEED_FLOOD.make());
            link.relay().play(new Ear.Script() {
                @Override
                public boolean hears(ClientMessage message, Endpoint.Peer client) {
                    return message instanceof ClientMessage.NegMessage;
                }
            });
            link.settle(Duration.ofHours(1));
            assertTrue(link.portrait().learned().containsKey(Trait.BROKEN_NEGENTROPY));
            assertIsReadOnce(link);
        }
    }

    /// An answer that never comes says nothing of what the relay has.
    @Test
    void whoNeverAnswersForIdsIsNotTakenForBroken() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            followed(link, 30);
            link.relay().play(new Ear.Script() {
                @Override
                public boolean hears(ClientMessage message, Endpoint.Peer client) {
                    return Grudge.hasRole(message, 'i');
                }
            });
            link.run(Duration.ofMinutes(25));
            assertTrue(link.relay().requests('i').size() > 3);
            assertFalse(link.portrait().learned().containsKey(Trait.BROKEN_NEGENTROPY));
        }
    }

    // ---- what becomes of an id while it is waited for

    /// A repository at a relay that compares, confirmed; and at others.
    private static OneRelay comparing(FarRelay... others) {
        var world = new OneRelay().comparing();
        world.relay.compares();
        var all = new ArrayList<>(List.of(others));
        all.add(world.relay);
        return world.announce(OneRelay.repo(1), all.toArray(FarRelay[]::new)).settled();
    }

    private static Event issue(OneRelay world) {
        return OneRelay.event(1621, world.wall(), "a", OneRelay.repo(1).toString());
    }

    private static List<Double> askedFor(FarRelay relay, Event event) {
        return relay
                .asked(one -> one.filters().stream()
                        .anyMatch(filter -> filter.ids().orElse(List.of()).contains(event.id())))
                .stream()
                .map(FarRelay.Asked::second)
                .toList();
    }

    private static boolean isById(FarRelay.Asked one) {
        return one.role() == 'i';
    }

    /// Answers that there is nothing.
    private static void withhold(OneRelay world) {
        world.relay.manner(one -> {
            if (isById(one)) {
                world.relay.eose(one.id());
            } else {
                world.relay.serve(one);
            }
        });
    }

    private static void compare(OneRelay world) {
        world.core().compareNow(Optional.of(world.relay.url));
        world.seconds(20);
    }

    /// I10: a relay gives an event with a signature that nobody made, while another names it.
    @Test
    void whatIsInTheGateIsAskedOfAnotherRelayWhenItTurnsOutToBeForged() {
        var world = new OneRelay().comparing();
        var liar = world.relay("liar.example.com");
        world.relay.compares();
        world.announce(OneRelay.repo(1), world.relay, liar).settled();
        var issue = issue(world);
        world.home.isShut = true;
        liar.publish(issue);
        world.relay.keep(issue);
        compare(world);
        assertEquals(LinkState.WITH_FAILURES, world.state());
        assertEquals(List.of(), askedFor(world.relay, issue));
        world.home.policy = _ -> new Ruling.Forged();
        world.home.open();
        world.home.policy = _ -> new Ruling.Stored();
        world.seconds(10);
        assertTrue(world.home.has(issue));
        assertEquals(1, askedFor(world.relay, issue).size());
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void whatIsInTheGateIsNotAskedForWhenItIsTaken() {
        var world = new OneRelay().comparing();
        var other = world.relay("other.example.com");
        world.relay.compares();
        world.announce(OneRelay.repo(1), world.relay, other).settled();
        var issue = issue(world);
        world.home.isShut = true;
        other.publish(issue);
        world.relay.keep(issue);
        compare(world);
        world.home.open();
        world.seconds(10);
        assertEquals(List.of(), askedFor(world.relay, issue));
        assertEquals(LinkState.CONNECTED, world.state());
    }

    /// Two answers without it, and the third, a minute later, does not come.
    private static Event unanswered(OneRelay world) {
        var issue = issue(world);
        world.relay.keep(issue);
        withhold(world);
        compare(world);
        assertEquals(2, askedFor(world.relay, issue).size());
        assertEquals(LinkState.WITH_FAILURES, world.state());
        world.relay.servesOnly(one -> !isById(one));
        world.seconds(60);
        assertEquals(3, askedFor(world.relay, issue).size());
        return issue;
    }

    @Test
    void whatIsBeingAskedForWhenEverythingIsComparedAnewIsAskedForAtOnce() {
        var world = comparing();
        var issue = unanswered(world);
        world.relay.honest();
        compare(world);
        assertTrue(world.home.has(issue));
        assertEquals(4, askedFor(world.relay, issue).size());
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void whatSomebodyElseBringsWhileItIsBeingAskedForIsMissedNoMore() {
        var world = comparing();
        var issue = unanswered(world);
        var asked = world.relay.asked(MissingIdsTest::isById).getLast();
        world.home.take(issue);
        world.relay.eose(asked.id());
        world.seconds(10);
        assertEquals(LinkState.CONNECTED, world.state());
        world.run(Duration.ofHours(3));
        assertEquals(3, askedFor(world.relay, issue).size());
    }

    @Test
    void whatIsRefusedAgainAndAgainIsGivenUpAsIfItHadNotCome() {
        var world = comparing();
        var issue = issue(world);
        world.relay.keep(issue);
        withhold(world);
        compare(world);
        world.relay.closes(MissingIdsTest::isById, "error: no luck today");
        world.run(Duration.ofHours(20));
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(1, world.picture().link().phantoms());
        assertFalse(world.home.has(issue));
    }

    @Test
    void whatIsMissedLaterIsAskedForBeforeWhatWaitsLonger() {
        var world = comparing();
        var first = issue(world);
        world.relay.keep(first);
        withhold(world);
        compare(world);
        world.run(Duration.ofMinutes(2)); // the next time is in ten minutes
        assertEquals(3, askedFor(world.relay, first).size());
        var second = issue(world);
        world.relay.keep(second);
        compare(world);
        assertEquals(2, askedFor(world.relay, second).size());
        assertEquals(3, askedFor(world.relay, first).size());
    }

    @Test
    void whatWasLeftToAnotherRelayIsAskedForAfterTheNextConnection() {
        var world = new OneRelay().comparing();
        var other = world.relay("other.example.com");
        world.relay.compares();
        other.compares();
        world.announce(OneRelay.repo(1), world.relay, other).settled();
        long before = world.wall() - 3_600; // what is missed is not asked for from so far back
        var issue = OneRelay.event(1621, before, "a", OneRelay.repo(1).toString());
        other.keep(issue);
        world.relay.keep(issue);
        other.servesOnly(one -> !isById(one));
        world.core().compareNow(Optional.of(other.url));
        world.seconds(2);
        assertEquals(1, askedFor(other, issue).size());
        world.core().compareNow(Optional.of(world.relay.url));
        world.seconds(2);
        assertEquals(List.of(), askedFor(world.relay, issue));
        world.relay.door(FarRelay.Door.AJAR);
        world.relay.drop();
        world.seconds(1);
        other.eose(other.asked(MissingIdsTest::isById).getLast().id());
        world.seconds(1);
        world.relay.door(FarRelay.Door.OPEN);
        world.seconds(10);
        assertTrue(world.home.has(issue));
        assertEquals(1, askedFor(world.relay, issue).size());
    }

    @Test
    void whatCouldNotBeStoredIsAskedForAgainAFewAtATime() {
        var world = new OneRelay().announce(1).root(1, 1).settled();
        world.home.policy = _ -> new Ruling.Failed("no space left");
        for (int number = 0; number < 3_000; number++) {
            world.relay.publish(OneRelay.event(
                    OneLink.REACTION, world.wall() - number, "e", OneRelay.id(1).toString()));
        }
        for (int second = 0; second < 60; second++) {
            world.seconds(1);
            for (var link : world.core().links()) {
                assertEquals(List.of(), new LinkWindow(link).excess());
            }
        }
    }
}
