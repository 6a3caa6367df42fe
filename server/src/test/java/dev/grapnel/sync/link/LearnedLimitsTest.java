package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.sync.health.Learned;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.link.Ear.Frame;
import dev.grapnel.sync.sim.RelayModel;
import dev.grapnel.sync.sim.RelayModel.Way;
import dev.grapnel.sync.sim.RelayModels;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Limits of a relay that are met, and then kept (R3.8a, R3.14a, R4.20, tests 151 to 154).
final class LearnedLimitsTest {
    private static List<String> met(OneLink link) {
        return link.notes(LinkNote.Structural.class).stream()
                .map(LinkNote.Structural::limit)
                .toList();
    }

    private static boolean isLive(Frame frame) {
        return frame.isRequest('a') || frame.isRequest('l');
    }

    /// Values by letter that open live subscriptions ask for.
    private static Set<String> streamed(OneLink link) {
        Map<String, Frame> open = new HashMap<>();
        for (var frame : link.relay().frames()) {
            if (frame.message() instanceof ClientMessage.Subscribe(var id, var _) && isLive(frame)) {
                open.put(id.text(), frame);
            }
        }
        open.keySet().retainAll(new HashSet<>(link.relay().open()));
        var values = new HashSet<String>();
        open.values().stream()
                .flatMap(frame -> frame.filters().stream())
                .forEach(filter -> filter.tags()
                        .forEach(tag -> tag.values().toList().forEach(value -> values.add(tag.letter() + value))));
        return values;
    }

    /// Bytes of the live subscriptions that are open.
    private static int streamedBytes(OneLink link) {
        Map<String, Integer> open = new HashMap<>();
        for (var frame : link.relay().frames()) {
            if (frame.message() instanceof ClientMessage.Subscribe(var id, var _) && isLive(frame)) {
                open.put(id.text(), frame.bytes());
            }
        }
        open.keySet().retainAll(new HashSet<>(link.relay().open()));
        return open.values().stream().mapToInt(bytes -> bytes).sum();
    }

    private static Set<String> wanted(List<Event> roots, String letters) {
        var values = new HashSet<String>();
        letters.chars()
                .forEach(letter -> roots.forEach(
                        root -> values.add((char) letter + root.id().toHex())));
        return values;
    }

    // ---- bytes of what is open

    @ParameterizedTest
    @CsvSource({"5242880, 5142880", "250000, 150000", "150000, 75000"})
    void liveFiltersLeaveRoomBelowACapOfBytes(long cap, long live) {
        var learned = new Learned();
        var bearing = new Bearing(LinkConfig.DEFAULTS, () -> learned, new VirtualScheduler(Instant.EPOCH));
        assertEquals(Long.MAX_VALUE, bearing.liveBytes());
        var text = "rate-limited: active subscriptions exceed max size " + cap + " bytes";
        assertTrue(bearing.learn(RefusalLine.OPEN_BYTES, text, 1, false));
        assertEquals(live, bearing.liveBytes());
        assertEquals(Math.min(96_000, cap / 2), bearing.catchUpBytes());
    }

    /// Whatever number a relay names, something can still be asked, and nothing overflows.
    @ParameterizedTest
    @CsvSource({
        "0, 1024, 512, 5",
        "1, 1024, 512, 5",
        "8000, 8000, 4000, 57",
        "4294967297, 1000000000, 96000, 100",
        "99999999999999999999999999, 1000000000, 96000, 100"
    })
    void anOddCapOfBytesLeavesRoomForARequest(String said, long cap, int request, int ids) {
        var learned = new Learned();
        var bearing = new Bearing(LinkConfig.DEFAULTS, () -> learned, new VirtualScheduler(Instant.EPOCH));
        var text = "rate-limited: active subscriptions exceed max size " + said;
        bearing.learn(RefusalLine.OPEN_BYTES, text, 1, false);
        assertEquals(cap, bearing.openBytes().orElseThrow());
        assertEquals(request, bearing.catchUpBytes());
        assertEquals(ids, bearing.idsPerRequest(100));
        assertTrue(bearing.sizes(false).bytesMax() <= request
                && bearing.sizes(false).bytesMax() > 0);
        assertFalse(bearing.learn(RefusalLine.OPEN_BYTES, text, 1, false), "it was said before");
    }

    @Test
    void aCapOfBytesIsLearnedKeptAndForgottenAfterADay() {
        int cap = 20_000;
        var text = "rate-limited: active subscriptions exceed max size " + cap + " bytes";
        try (var link = new OneLink(RelayModels.plain(500).openBytes(cap, text))) {
            var roots = link.issues(link.repository("long"), 120);
            link.settle();
            assertEquals(List.of("open_bytes"), met(link));
            assertTrue(streamedBytes(link) <= cap / 2);
            var reaction = OneLink.reaction(roots.getLast(), link.wall(), 1);
            link.relay().relay().publish(reaction);
            link.run(Duration.ofMinutes(6));
            link.assertHas(List.of(reaction));
            link.drop();
            link.run(Duration.ofMinutes(2));
            assertEquals(List.of("open_bytes"), met(link));
            link.node().stop();
            link.run(Duration.ofMinutes(2));
            link.node().restart();
            link.settle();
            assertEquals(List.of("open_bytes"), met(link));
            assertTrue(streamedBytes(link) <= cap / 2);
            link.run(Duration.ofHours(23));
            assertEquals(List.of("open_bytes"), met(link));
            link.run(Duration.ofHours(2));
            link.drop();
            link.run(Duration.ofMinutes(2));
            assertEquals(List.of("open_bytes", "open_bytes"), met(link)); // it was tried once more without
        }
    }

    @Test
    void whereBytesCountOneRequestIsUnderWay() {
        var text = "rate-limited: active subscriptions exceed max size 4000 bytes";
        try (var link = new OneLink(RelayModels.plain(500).openBytes(4_000, text))) {
            link.issues(link.repository("long"), 30);
            link.settle();
            link.relay().forget();
            link.issue(OneLink.coordinate("long"), "one more");
            link.run(Duration.ofSeconds(30));
            int live = link.relay().open().size();
            var pages = link.relay().requests('h');
            assertEquals(3, pages.size());
            assertTrue(pages.stream().allMatch(frame -> frame.subscriptions() == live + 1), pages::toString);
        }
    }

    // ---- filters of a request

    private static List<Integer> sizes(OneLink link) {
        return link.relay().requests('l').stream()
                .map(frame -> frame.filters().size())
                .distinct()
                .toList();
    }

    @Test
    void fewerFiltersAreSentUntilTheyAreFewEnough() {
        var model = RelayModels.plain(500).filters(1, "ERROR: bad req: invalid number of filters: {n}");
        try (var link = new OneLink(model, OneLink.narrow(1))) {
            var roots = link.issues(link.repository("many"), 1);
            link.settle();
            link.run(Duration.ofMinutes(1));
            assertEquals(List.of(10, 5, 2, 1), sizes(link));
            assertTrue(streamed(link).containsAll(wanted(roots, "eEq")));
            assertEquals(1, link.learned(Trait.FILTERS));
            assertEquals(List.of(), link.notes(LinkNote.RateLimited.class));
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "3, 2", "4, 2", "5, 5", "9, 5"})
    void asManyFiltersAreSentAsTheRelayTakes(int most, int learned) {
        var model = RelayModels.plain(500).filters(most, "ERROR: bad req: invalid number of filters: {n}");
        try (var link = new OneLink(model, OneLink.narrow(1))) {
            var roots = link.issues(link.repository("many"), 8);
            link.settle();
            link.run(Duration.ofMinutes(1));
            assertEquals(learned, link.learned(Trait.FILTERS));
            assertTrue(streamed(link).containsAll(wanted(roots, "eEq")));
        }
    }

    // ---- values of a filter

    @Test
    void filtersAreHalvedUntilTheirValuesAreFewEnough() {
        var model = RelayModels.plain(500)
                .conditionBytes(60 * 64, "ERROR: bad req: error parsing filter: filter item too large");
        try (var link = new OneLink(model)) {
            var roots = link.issues(link.repository("long"), 300);
            var all = roots.stream()
                    .map(root -> OneLink.reaction(root, link.wall(), 1))
                    .toList();
            all.forEach(link.relay().relay()::put);
            link.settle();
            link.run(Duration.ofMinutes(2));
            link.assertHas(all);
            assertEquals(50, link.learned(Trait.WIDTH));
            assertTrue(streamed(link).containsAll(wanted(roots, "eE")));
        }
    }

    // ---- refusals that name nothing

    @ParameterizedTest
    @ValueSource(ints = {6, 16})
    void aRequestRefusedByANoticeIsNoticedAndSentAgain(int subscriptions) {
        var model = RelayModels.plain(500)
                .subscriptions(subscriptions, "ERROR: too many concurrent REQs")
                .refusingBy(Way.NOTICE);
        try (var link = new OneLink(model, OneLink.narrow(1))) {
            var roots = link.issues(link.repository("many"), 40);
            var all = roots.stream()
                    .map(root -> OneLink.reaction(root, link.wall(), 1))
                    .toList();
            all.forEach(link.relay().relay()::put);
            link.run(Duration.ofSeconds(2));
            assertTrue(met(link).contains("subscriptions"));
            link.settle(Duration.ofMinutes(20));
            link.run(Duration.ofMinutes(2));
            link.assertHas(all);
            assertEquals(link.relay().open().size(), link.portrait().link().slotsLive());
            assertTrue(link.relay().open().size() < subscriptions);
            assertTrue(streamed(link).containsAll(wanted(roots, subscriptions == 16 ? "eE" : "")));
            var later = roots.stream()
                    .map(root -> OneLink.reaction(root, link.wall(), 2))
                    .toList();
            later.forEach(link.relay().relay()::publish);
            link.run(Duration.ofMinutes(12));
            link.assertHas(later);
        }
    }

    // ---- long messages

    /// Repositories with long names, of which live filters become long.
    private static void longNames(OneLink link, int count) {
        IntStream.range(0, count).forEach(number -> link.repository("%03d".formatted(number) + "x".repeat(180)));
    }

    @Test
    void aRelayThatDropsLongMessagesTwiceGetsShorterOnes() {
        try (var link = new OneLink(boasting())) {
            longNames(link, 90);
            link.runUntil(() -> link.isFollowed() && link.portrait().link().generation() == 3, Duration.ofMinutes(5));
            link.settle();
            assertEquals(60_000, link.learned(Trait.MESSAGE_BYTES));
            for (long connection = 1; connection <= 2; connection++) {
                long number = connection;
                assertTrue(link.relay().frames().stream()
                        .anyMatch(frame -> frame.connection() == number && frame.bytes() > 131_072));
            }
            assertTrue(link.relay().frames().stream()
                    .filter(frame -> frame.connection() == 3)
                    .allMatch(frame -> frame.bytes() <= 60_000));
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    private static RelayModel boasting() {
        return RelayModels.plain(500).messageBytes(131_072).declaringMessages(1_000_000);
    }

    @Test
    void whereNothingIsDeclaredNoMessageIsLongerThan96000Bytes() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            longNames(link, 90);
            link.settle();
            int most =
                    link.relay().frames().stream().mapToInt(Frame::bytes).max().orElseThrow();
            assertTrue(most <= 96_000 && most > 60_000, () -> "most " + most);
        }
    }
}
