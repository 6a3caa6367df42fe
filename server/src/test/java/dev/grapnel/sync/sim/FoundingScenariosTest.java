package dev.grapnel.sync.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.SyncConfig;
import dev.grapnel.sync.link.LinkConfig;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import dev.grapnel.sync.sim.RelayRecord.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The five scenarios from which proactive sync began, as Grapnel plays them: first connection, return within a
/// quarter of an hour, return after it, packing anew, and the daily look.
///
/// One node, one relay without NIP-77 (so that every question is one that can be read), one repository of Ann's.
final class FoundingScenariosTest {
    private static final int ANN = 0;
    private static final Duration A_MOMENT = Duration.ofSeconds(20);
    private static final Duration OVERLAP = Duration.ofMinutes(15);

    /// Two values a filter and packing from eight filters on, so that a handful of issues is many.
    private static final LinkConfig NARROW = new LinkConfig(
            2, 8, 200, 500, true, false, true, Duration.ofSeconds(5), Duration.ofHours(23), Duration.ofHours(25));

    private SimWorld world = new SimWorld(11, JoinedCore.usual());
    private SimNode node = world.addNode("one.example.com");
    private SimRelay relay = world.addRelay("relay.example.com", RelayModels.plain(500));
    private SimEvents people = world.events(4);
    private SimEvents.Repo repo = people.repository(ANN, List.of(node.name()), List.of(relay.url()));
    private long since;

    @AfterEach
    void close() {
        world.close();
    }

    private void begin() {
        world.start();
        people = world.events(4);
        repo = people.repository(ANN, List.of(node.name()), List.of(relay.url()));
        var announcement = people.announce(repo);
        var state = people.state(repo, ANN);
        world.push(state, node.name());
        world.publish(announcement, List.of(node.url(), relay.url()));
        world.publish(state, List.of(node.url(), relay.url()));
    }

    /// From here on is what the story is about.
    private void now() {
        since = world.time().nanos();
    }

    private List<Request> asked(Purpose... purposes) {
        return relay.record()
                .requests(request -> request.at() >= since && Set.of(purposes).contains(request.purpose()));
    }

    private static Set<String> shapes(List<Request> requests) {
        return requests.stream()
                .flatMap(request -> request.filters().stream())
                .map(FoundingScenariosTest::shape)
                .collect(Collectors.toSet());
    }

    /// What a filter asks by: kinds or the name of its tag.
    private static String shape(Filter filter) {
        return filter.tags().isEmpty()
                ? "announcements"
                : Character.toString(filter.tags().getFirst().letter());
    }

    private static List<OptionalLong> sinces(List<Request> requests) {
        return requests.stream()
                .flatMap(request -> request.filters().stream())
                .map(Filter::since)
                .distinct()
                .toList();
    }

    private void published(Event event) {
        world.publish(event, List.of(relay.url()));
    }

    private void has(Event... events) {
        for (var event : events) {
            assertTrue(node.serves(event.id()), "kind " + event.kind() + " is here");
        }
    }

    private void hasNot(Event event) {
        assertFalse(node.serves(event.id()), "kind " + event.kind() + " is not here yet");
    }

    @Test
    void onTheFirstConnectionTheWholeHistoryComes() {
        begin();
        var issue = people.issue(repo);
        var comment = people.comment(repo, issue, issue);
        published(issue);
        published(comment);
        world.run(A_MOMENT.multipliedBy(3));

        has(issue, comment);
        var first = relay.record().requests().getFirst();
        assertEquals(Purpose.LIVE, first.purpose(), "live comes before history");
        assertEquals(Set.of("announcements"), shapes(List.of(first)));
        assertEquals(List.of(OptionalLong.empty()), sinces(asked(Purpose.LIVE)));
        assertEquals(List.of(OptionalLong.empty()), sinces(asked(Purpose.HISTORIC)), "all of it");
        assertEquals(Set.of("announcements", "d", "a", "A", "q", "e", "E"), shapes(asked(Purpose.HISTORIC)));

        var later = people.comment(repo, issue, comment);
        published(later);
        world.run(Duration.ofSeconds(1));
        has(later);
    }

    @Test
    void afterAShortAbsenceOnlyTheGapIsAskedFor() {
        begin();
        var issue = people.issue(repo);
        published(issue);
        world.run(Duration.ofHours(2));

        now();
        long lostAt = world.time().wall().getEpochSecond();
        world.network().stop(relay.url());
        world.run(Duration.ofMinutes(3));
        var comment = people.comment(repo, issue, issue);
        var second = people.issue(repo);
        published(comment);
        published(second);
        world.network().start(relay.url());
        world.run(Duration.ofMinutes(5));

        has(comment, second);
        var gap = sinces(asked(Purpose.CATCH_UP));
        assertEquals(1, gap.size(), "one watermark");
        long from = gap.getFirst().orElseThrow();
        assertTrue(from <= lostAt - OVERLAP.toSeconds(), "with the overlap");
        assertTrue(from > lostAt - OVERLAP.toSeconds() - 90, "from the last sign of life");
        assertEquals(Set.of("announcements", "d", "a", "A", "q", "e", "E"), shapes(asked(Purpose.CATCH_UP)));
        assertEquals(List.of(OptionalLong.empty()), sinces(asked(Purpose.LIVE)), "live never has a since");
        assertEquals(Set.of("e", "E", "q"), shapes(asked(Purpose.HISTORIC)), "only what is new has a history");
        assertEquals(List.of(OptionalLong.empty()), sinces(asked(Purpose.HISTORIC)));
    }

    @Test
    void afterALongAbsenceEverythingIsAskedForAgain() {
        begin();
        var issue = people.issue(repo);
        published(issue);
        world.run(Duration.ofHours(2));

        now();
        world.network().stop(relay.url());
        world.run(Duration.ofMinutes(16));
        var comment = people.comment(repo, issue, issue);
        published(comment);
        world.network().start(relay.url());
        world.run(Duration.ofMinutes(30));

        has(comment);
        assertEquals(List.of(), asked(Purpose.CATCH_UP));
        assertEquals(List.of(OptionalLong.empty()), sinces(asked(Purpose.HISTORIC)));
        assertEquals(Set.of("announcements", "d", "a", "A", "q", "e", "E"), shapes(asked(Purpose.HISTORIC)));
    }

    @Test
    void manyFiltersBecomeFewWithoutAGap() {
        world.close();
        world = new SimWorld(11, JoinedCore.with(FoundingScenariosTest::narrow));
        node = world.addNode("one.example.com");
        relay = world.addRelay("relay.example.com", RelayModels.plain(500));
        begin();
        var judged = new ArrayList<EventId>();
        node.watchRulings(one -> judged.add(one.event().id()));
        world.run(A_MOMENT);
        var issues = new ArrayList<Event>();
        int before = live().size();
        int packings = 0;
        for (int count = 0; count < 24; count++) {
            issues.add(people.issue(repo));
            published(issues.getLast());
            world.run(Duration.ofSeconds(7));
            packings += live().size() < before ? 1 : 0;
            before = live().size();
        }
        world.run(Duration.ofMinutes(3));

        has(issues.toArray(Event[]::new));
        int packed = 1 + 4 + 3 * issues.size() / 2;
        assertTrue(packings >= 2, "packed " + packings + " times");
        assertTrue(live().size() - packed < Math.max(8, packed / 4), "there are still " + live().size());
        assertEquals(
                1,
                relay.record().requests(FoundingScenariosTest::isFirstLayer).size(),
                "announcements were left alone");
        for (var issue : issues) {
            for (char letter : new char[] {'e', 'E', 'q'}) {
                assertEquals(1, open(letter, issue), "each value is in one live filter");
            }
        }
        assertEquals(Set.copyOf(judged).size(), judged.size(), "nothing was judged twice");
    }

    private static SyncConfig narrow(SyncConfig usual) {
        return new SyncConfig(
                usual.bootstrap(),
                usual.privatePeers(),
                usual.isPrivate(),
                usual.requestRate(),
                usual.connectTime(),
                usual.checkEvery(),
                usual.feed(),
                usual.health(),
                usual.intake(),
                NARROW);
    }

    private List<Filter> live() {
        return relay.sessions().stream()
                .flatMap(session -> session.live().stream())
                .toList();
    }

    private static boolean isFirstLayer(Request request) {
        return request.purpose() == Purpose.LIVE
                && request.filters().stream().anyMatch(filter -> filter.tags().isEmpty());
    }

    private long open(char letter, Event event) {
        var value = event.id().toHex();
        return live().stream()
                .filter(filter -> filter.tags().stream()
                        .anyMatch(tag ->
                                tag.letter() == letter && tag.values().toList().contains(value)))
                .count();
    }

    @Test
    void onceADayEverythingIsComparedWhileLiveGoesOn() {
        begin();
        var issue = people.issue(repo);
        published(issue);
        world.run(Duration.ofHours(22));
        var unheard = people.comment(repo, issue, issue);
        assertTrue(relay.put(unheard), "the relay has it and told nobody");
        world.run(Duration.ofMinutes(30));
        hasNot(unheard);

        now();
        var heard = people.comment(repo, issue, issue);
        world.time().after(Duration.ofHours(1), () -> published(heard));
        world.run(Duration.ofHours(3));

        has(unheard, heard);
        assertEquals(List.of(OptionalLong.empty()), sinces(asked(Purpose.HISTORIC)), "all of it");
        assertEquals(Set.of("announcements", "d", "a", "A", "q", "e", "E"), shapes(asked(Purpose.HISTORIC)));
        assertEquals(1, relay.record().usages().size(), "on the connection that was there");
        assertEquals(
                List.of(),
                asked(Purpose.LIVE).stream()
                        .filter(FoundingScenariosTest::isFirstLayer)
                        .toList(),
                "live stayed open");
    }
}
