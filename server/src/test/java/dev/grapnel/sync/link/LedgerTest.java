package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessage.EndOfStored;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.health.Learned;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.link.Ledger.Use;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.received.Arrivals.Path;
import dev.grapnel.sync.sim.RelayModel;
import dev.grapnel.sync.sim.RelayModels;
import dev.grapnel.sync.world.Transport;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How much is open at a relay at once (R3.14, tests 149, 150, 160 and 161).
final class LedgerTest {
    private static int slotsMost(OneLink link) {
        return link.relay().frames().stream()
                .mapToInt(frame -> frame.subscriptions() + frame.sessions())
                .max()
                .orElseThrow();
    }

    /// So many that live filters take all slots they may.
    private static List<Event> crowd(OneLink link, int issues) {
        var roots = link.issues(link.repository("crowded"), issues);
        var all = roots.stream()
                .map(root -> OneLink.reaction(root, link.wall(), 1))
                .toList();
        all.forEach(link.relay().relay()::put);
        return all;
    }

    private static RelayModel declaring(RelayModel model, int subscriptions) {
        return model.subscriptions(subscriptions, "error: too many subscriptions")
                .disclosing();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eighteenOfTwentySlotsAreUsedWhereTheRelaySaysNothing(boolean compares) {
        var model = compares ? RelayModels.honest(500) : RelayModels.plain(500);
        try (var link = new OneLink(model, OneLink.narrow(1))) {
            var all = crowd(link, 50);
            link.settle(Duration.ofMinutes(20));
            link.assertHas(all);
            assertEquals(17, link.relay().open().size());
            assertEquals(18, slotsMost(link));
        }
    }

    @Test
    void historyTakesEightRequestsAndTwoComparisonsWhereThereIsRoom() {
        var model = RelayModels.honest(500).thinking(Duration.ofSeconds(1));
        try (var link = new OneLink(model)) {
            var all = crowd(link, 5);
            link.settle();
            link.assertHas(all);
            assertEquals(
                    2,
                    link.relay().openings().stream()
                            .mapToInt(Ear.Frame::sessions)
                            .max()
                            .orElseThrow());
        }
        try (var link = new OneLink(RelayModels.plain(500).thinking(Duration.ofSeconds(1)), OneLink.narrow(1))) {
            var all = crowd(link, 10);
            link.settle();
            link.assertHas(all);
            int live = link.relay().open().size();
            var pages = link.relay().requests('h');
            assertEquals(
                    8, pages.stream().mapToInt(Ear.Frame::subscriptions).max().orElseThrow() - live);
        }
    }

    @ParameterizedTest
    @CsvSource({"10, true, 8", "10, false, 8", "4, true, 2", "4, false, 2", "3, true, 2", "3, false, 2"})
    void aSmallerNumberIsHonoured(int subscriptions, boolean compares, int most) {
        var model =
                compares ? RelayModels.honest(500).oneBudget().sessions(subscriptions, "no") : RelayModels.plain(500);
        try (var link = new OneLink(declaring(model, subscriptions), OneLink.narrow(2))) {
            var all = crowd(link, 20);
            link.settle(Duration.ofMinutes(20));
            link.assertHas(all);
            assertEquals(most, slotsMost(link));
            assertEquals(List.of(), link.notes(LinkNote.Structural.class));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 3})
    void withFourSlotsOnlyAnnouncementsAreStreamed(int subscriptions) {
        try (var link = new OneLink(declaring(RelayModels.plain(500), subscriptions))) {
            var root = link.issue(link.repository("crowded"), "few slots");
            link.settle();
            assertEquals(1, link.relay().open().size());
            assertTrue(link.relay().open().getFirst().startsWith("a"));
            assertEquals(List.of(), link.relay().requests('l'));
            var later = OneLink.reaction(root, link.wall(), 1);
            link.relay().relay().publish(later);
            link.run(Duration.ofMinutes(11));
            link.assertHas(List.of(later));
        }
    }

    @Test
    void withOneSlotAnnouncementsAreSwept() {
        try (var link = new OneLink(declaring(RelayModels.plain(500), 1))) {
            var all = crowd(link, 3);
            link.settle();
            link.assertHas(all);
            assertEquals(1, slotsMost(link));
            assertEquals(List.of(), link.relay().open());
            var ours = link.announcement("later", link.wall());
            link.relay().relay().publish(ours);
            link.run(Duration.ofMinutes(6));
            assertTrue(link.node().heldIds().contains(ours.id()));
        }
    }

    // ---- slots

    /// A line that writes when it is told to.
    private static final class SlowLine implements Transport.Line {
        private final List<Runnable> unwritten = new ArrayList<>();

        @Override
        public String machine() {
            return "far";
        }

        @Override
        public void send(Bytes text, Runnable written) {
            unwritten.add(written);
        }

        private void write() {
            var now = List.copyOf(unwritten);
            unwritten.clear();
            now.forEach(Runnable::run);
        }

        @Override
        public void ping() {}

        @Override
        public long heardAt() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private static final class Anybody implements Wire.Conversation {
        @Override
        public boolean expects(Event event) {
            return true;
        }

        @Override
        public Path path() {
            return Path.HISTORIC;
        }

        @Override
        public void took(Event event) {}

        @Override
        public void decided(Event event, Outcome outcome) {}

        @Override
        public void ended() {}

        @Override
        public void closed(String text) {}
    }

    @Test
    void aSlotIsFreeWhenOurCloseWasWritten() {
        var loop = new VirtualScheduler(Instant.EPOCH);
        var ledger = new Ledger(new Bearing(LinkConfig.DEFAULTS, Learned::new, loop));
        var line = new SlowLine();
        var freed = new ArrayList<Integer>();
        var wire = new Wire(line, ledger, loop, () -> freed.add(ledger.open()));
        var id = wire.newId('h');
        wire.subscribe(id, Use.REQUEST, () -> List.of(Filter.ALL), new Anybody());
        line.write();
        assertEquals(1, ledger.open());
        wire.unsubscribe(id, Use.REQUEST);
        assertEquals(1, ledger.open());
        assertEquals(List.of(), freed);
        line.write();
        assertEquals(0, ledger.open());
        assertEquals(List.of(0), freed);
    }

    /// R8.4: a thousand relays may be told megabytes at the same moment.
    @Test
    void aRequestIsMadeWhenWhatIsBeforeItHasBeenWritten() {
        var loop = new OneRelay().time;
        var ledger = new Ledger(new Bearing(LinkConfig.DEFAULTS, Learned::new, loop));
        var line = new SlowLine();
        var wire = new Wire(line, ledger, loop, () -> {});
        var made = new ArrayList<Integer>();
        var ids = IntStream.range(0, 600).mapToObj(OneRelay::id).toList();
        for (int number = 0; number < 5; number++) {
            int one = number;
            Supplier<List<Filter>> filters = () -> {
                made.add(one);
                return List.of(Filter.builder().ids(ids).build());
            };
            wire.subscribe(wire.newId('l'), Use.LIVE, filters, new Anybody());
        }
        assertEquals(List.of(0, 1), made);
        assertTrue(wire.isUnsent());
        line.write();
        assertEquals(List.of(0, 1, 2, 3), made);
        line.write();
        assertEquals(List.of(0, 1, 2, 3, 4), made);
        assertFalse(wire.isUnsent());
    }

    @Test
    void aSlotIsNotFreeWhenTheAnswerEnds() {
        var world = new OneRelay().announce(1);
        world.relay.subscriptionsMax(4); // one for announcements, one for everything else
        world.relay.writing = Duration.ofSeconds(1);
        world.start();
        world.seconds(60);
        var asked = world.relay.asked(FarRelay.Asked::isHistoric);
        assertTrue(asked.size() >= 5, asked::toString);
        for (int i = 1; i < asked.size(); i++) {
            var before = new ClientMessage.Unsubscribe(asked.get(i - 1).id());
            double closed = world.relay.frames.stream()
                    .filter(frame -> frame.message().equals(before))
                    .mapToDouble(FarRelay.Frame::second)
                    .findFirst()
                    .orElseThrow();
            assertTrue(asked.get(i).second() - closed > 0.99, asked::toString);
        }
    }

    @Test
    void aComparisonThatIsAbandonedBeforeItBeginsLeavesItsSlot() {
        var world = new OneRelay().comparing().announce(1);
        world.relay.compares();
        world.settled();
        world.home.isReading = true;
        for (int number = 2; number < 30; number++) {
            world.announce(number);
        }
        world.seconds(10);
        assertEquals(2, world.link().ledger().taken(Use.COMPARISON));
        world.core().compareNow(Optional.empty());
        world.seconds(1);
        world.home.read();
        world.seconds(60);
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(0, world.link().ledger().taken(Use.COMPARISON));
    }

    // ---- what the relay closes

    @Test
    void aRequestByIdsThatIsClosedWithoutAWordHasNotFailed() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            link.relay().play(new Ear.Script() {
                @Override
                public List<RelayMessage> says(RelayMessage message) {
                    return message instanceof EndOfStored(var id, var _)
                                    && id.text().startsWith("i")
                            ? List.of(new RelayMessage.Closed(id, ""))
                            : List.of(message);
                }
            });
            var all = crowd(link, 5);
            link.settle();
            link.assertHas(all);
            assertEquals(LinkState.CONNECTED, link.state());
            assertEquals(1, link.relay().requests('i').size());
        }
    }

    @Test
    void wordsAboutSomethingThatIsNotOpenMeanNothing() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            crowd(link, 1);
            link.settle();
            int before = link.relay().frames().size();
            var nobody = new SubscriptionId("nobody");
            for (var text : List.of("rate-limited: slow down", "too many filters", "restricted: no")) {
                link.relay().say(new RelayMessage.Closed(nobody, text));
                link.relay().say(new RelayMessage.NegError(nobody, text, OptionalLong.empty()));
            }
            link.run(Duration.ofSeconds(10));
            assertFalse(link.portrait().status() == RelayStatus.RATE_LIMITED);
            assertEquals(List.of(), link.notes(LinkNote.Structural.class));
            assertEquals(before, link.relay().frames().size());
        }
    }

    @Test
    void whoIsTooSlowForTheStreamOpensItAgainAndAsksForWhatWasMissed() {
        try (var link = new OneLink(RelayModels.existing())) {
            var root = link.issue(link.repository("lagging"), "much to say");
            link.settle();
            int live = link.relay().open().size();
            link.run(Duration.ofMinutes(30));
            link.relay().forget();
            var closedAt = link.now();
            long wall = link.wall();
            link.relay().relay().lag();
            var missed = OneLink.reaction(root, link.wall(), 1);
            link.relay().relay().put(missed);
            link.run(Duration.ofSeconds(30));
            link.assertHas(List.of(missed));
            assertEquals(live, link.relay().open().size());
            var reopened = link.relay().frames(frame -> frame.isRequest('l') || frame.isRequest('a'));
            assertEquals(live, reopened.size());
            reopened.forEach(frame -> assertEquals(5, frame.at().minus(closedAt).toSeconds()));
            var caughtUp = link.relay().requests('c');
            assertFalse(caughtUp.isEmpty());
            caughtUp.forEach(frame -> frame.filters()
                    .forEach(filter ->
                            OneLink.assertAbout(wall - 900, filter.since().orElseThrow())));
        }
    }
}
