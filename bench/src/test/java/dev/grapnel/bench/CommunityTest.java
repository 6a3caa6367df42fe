package dev.grapnel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.PullRequest;
import dev.grapnel.nostr.repository.PullRequestUpdate;
import dev.grapnel.nostr.repository.RepositoryState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class CommunityTest {
    private static final Community SMALL = new Community(5, 2000);
    private static final Community LARGE = new Community(6, 12_000);

    @Test
    void sameSeedGivesSameBytesHoweverManyWorkers() throws InterruptedException {
        var alone = new ArrayList<Event>();
        SMALL.forEach(Signatures.REAL, 1, alone::add);
        var together = new ArrayList<Event>();
        SMALL.forEach(Signatures.REAL, 7, together::add);
        assertEquals(2000, alone.size());
        assertEquals(alone, together);
    }

    @Test
    void otherSeedGivesOtherEvents() throws InterruptedException {
        var ids = ids(events(SMALL));
        assertTrue(events(new Community(4, 2000)).stream().noneMatch(event -> ids.contains(event.id())));
    }

    @Test
    void everyEventCanBeReadAndIsSigned() throws InterruptedException {
        var reader = new EventReader(EventLimits.DEFAULTS);
        SMALL.forEach(Signatures.REAL, event -> {
            var read = reader.read(event.json().toArray());
            assertTrue(read instanceof ParsedEvent.Valid(var same) && same.equals(event), event::toString);
            assertTrue(event.isSigned(), event::toString);
        });
    }

    @Test
    void madeUpSignaturesDifferInNothingElse() throws InterruptedException {
        var real = new ArrayList<EventId>();
        SMALL.forEach(Signatures.REAL, event -> real.add(event.id()));
        var events = events(SMALL);
        assertEquals(real, events.stream().map(Event::id).toList());
        assertTrue(events.stream().limit(100).noneMatch(Event::isSigned));
        assertEquals(
                events.size(), events.stream().map(Event::signature).distinct().count());
    }

    @Test
    void eventsNameOnlyEarlierOnes() throws InterruptedException {
        Map<String, Long> dates = new HashMap<>();
        Set<String> addresses = new HashSet<>();
        LARGE.forEach(Signatures.MADE_UP, event -> {
            for (var id : values(event, "e", "E", "q")) {
                assertTrue(dates.getOrDefault(id, Long.MAX_VALUE) <= event.createdAt(), event::toString);
            }
            assertTrue(addresses.containsAll(values(event, "a", "A", "u")), event::toString);
            assertEquals(null, dates.put(event.id().toString(), event.createdAt()), event::toString);
            event.findAddress().ifPresent(address -> addresses.add(address.toString()));
        });
    }

    @Test
    void repositoriesAreDescribedAsTheLibraryReadsThem() throws InterruptedException {
        for (var event : events(LARGE)) {
            Parsed<?> read = switch (event.kind()) {
                case Kinds.ANNOUNCEMENT -> Announcement.parse(event);
                case Kinds.STATE -> RepositoryState.parse(event);
                case Kinds.PULL_REQUEST -> PullRequest.parse(event);
                case Kinds.PULL_REQUEST_UPDATE -> PullRequestUpdate.parse(event);
                default -> Parsed.valid(event);
            };
            assertTrue(read.find().isPresent(), event::toString);
            if (read instanceof Parsed.Valid<?>(RepositoryState state)) {
                assertEquals(event.tags().size() - 2, state.refs().size(), event::toString);
            }
        }
    }

    @Test
    void mixHasEveryKindAndTheUsualSizes() throws InterruptedException {
        var events = events(LARGE);
        var kinds = events.stream().map(Event::kind).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(
                List.of(
                        0, 1, 5, 7, 1111, 1617, 1618, 1619, 1621, 1624, 1630, 1631, 1632, 1633, 1985, 10002, 10317,
                        30617, 30618),
                List.copyOf(kinds));
        var sizes = events.stream().mapToInt(event -> event.json().length()).summaryStatistics();
        assertTrue(sizes.getAverage() > 800 && sizes.getAverage() < 2000, sizes::toString);
        assertTrue(sizes.getMax() > 80_000 && sizes.getMax() < 120_000, sizes::toString);
    }

    @Test
    void someEventsComeLateSomeTogetherAndSomeReplaceOthers() throws InterruptedException {
        var events = events(LARGE);
        long late = 0;
        long newest = 0;
        for (var event : events) {
            late += event.createdAt() < newest ? 1 : 0;
            newest = Math.max(newest, event.createdAt());
        }
        assertBetween(5, 15, 100.0 * late / events.size());
        long dates = events.stream().mapToLong(Event::createdAt).distinct().count();
        assertBetween(2, 8, 100.0 - 100.0 * dates / events.size());
        var states =
                events.stream().filter(event -> event.kind() == Kinds.STATE).toList();
        long addresses = states.stream().map(Event::findAddress).distinct().count();
        assertBetween(5, 50, 100.0 * addresses / states.size());
    }

    @Test
    void landmarksOccurAndTellPopularFromRare() throws InterruptedException {
        var events = new ArrayList<Event>();
        var landmarks = LARGE.forEach(Signatures.MADE_UP, events::add);
        var ids = ids(events);
        for (var popularity : Popularity.values()) {
            assertEquals(100, landmarks.roots(popularity, 100).size());
            assertTrue(ids.containsAll(landmarks.roots(popularity, 2000)));
            assertEquals(10, landmarks.identifiers(popularity, 10).size());
        }
        assertEquals(List.of(), landmarks.roots(Popularity.MIDDLING, 0));
        assertEquals(2000, landmarks.recentRoots(5000).size());
        assertTrue(ids.containsAll(landmarks.recentRoots(2000)));
        assertTrue(ids.containsAll(landmarks.recentEvents(2000)));
        assertTrue(timesAsMany(events, landmarks, 'a') > 10);
        assertTrue(timesAsMany(events, landmarks, 'E') > 10);
        long popular = events.stream()
                .filter(filterByAuthors(landmarks, Popularity.POPULAR)::matches)
                .count();
        long rare = events.stream()
                .filter(filterByAuthors(landmarks, Popularity.RARE)::matches)
                .count();
        assertTrue(rare > 0 && popular > 10 * rare, popular + " and " + rare);
    }

    private static long timesAsMany(List<Event> events, Landmarks landmarks, char letter) {
        var counts = Stream.of(Popularity.POPULAR, Popularity.RARE)
                .map(popularity -> letter == 'a'
                        ? landmarks.coordinates(popularity, 10)
                        : landmarks.roots(popularity, 10).stream()
                                .map(EventId::toString)
                                .toList())
                .map(values -> Filter.builder().tag(letter, values).build())
                .map(filter -> events.stream().filter(filter::matches).count())
                .toList();
        return counts.getFirst() / Math.max(1, counts.getLast());
    }

    private static Filter filterByAuthors(Landmarks landmarks, Popularity popularity) {
        return Filter.builder().authors(landmarks.authors(popularity, 10)).build();
    }

    @Test
    void consumersFailureIsPassedOn() {
        var failure = new IllegalArgumentException("enough");
        assertEquals(
                failure,
                assertThrows(
                        IllegalArgumentException.class,
                        () -> SMALL.forEach(Signatures.MADE_UP, _ -> {
                            throw failure;
                        })));
    }

    @Test
    void communityOfOneEventHasOne() throws InterruptedException {
        assertEquals(1, events(new Community(1, 1)).size());
        assertThrows(IllegalArgumentException.class, () -> new Community(1, 0));
    }

    @Test
    void ringKeepsTheLastOnly() {
        var ring = new Ring<Integer>(3);
        for (int i = 0; i < 1000; i++) {
            ring.add(i);
        }
        assertEquals(List.of(999, 998, 997), ring.toList());
    }

    @Test
    void skewedDrawsFollowZipf() {
        var chance = new Chance(1);
        var drawn = new int[100];
        for (int i = 0; i < 100_000; i++) {
            drawn[chance.skewed(100)]++;
        }
        assertTrue(drawn[0] > 40 * drawn[99] && drawn[99] > 0, drawn[0] + " and " + drawn[99]);
        assertNotEquals(0, drawn[50]);
        assertEquals(0, chance.skewed(1));
    }

    private static List<Event> events(Community community) throws InterruptedException {
        var events = new ArrayList<Event>();
        community.forEach(Signatures.MADE_UP, events::add);
        return events;
    }

    private static Set<EventId> ids(List<Event> events) {
        return events.stream().map(Event::id).collect(Collectors.toSet());
    }

    private static List<String> values(Event event, String... names) {
        return Stream.of(names)
                .flatMap(name -> event.tags().values(name).stream())
                .toList();
    }

    private static void assertBetween(double min, double max, double actual) {
        assertTrue(actual >= min && actual <= max, actual + " is not between " + min + " and " + max);
    }
}
