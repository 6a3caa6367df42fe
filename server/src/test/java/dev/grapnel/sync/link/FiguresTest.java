package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.sync.health.Learned;
import dev.grapnel.sync.link.Ledger.Use;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.received.Arrivals.Path;
import dev.grapnel.sync.world.Gate.Ruling;
import dev.grapnel.sync.world.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is counted is what happened, and what is shown is how it is (sync 9.1; test 148).
final class FiguresTest {
    private static final int COMMENT = 1111;

    private static Event comment(long createdAt, long root) {
        return event(COMMENT, createdAt, "E", id(root).toString());
    }

    private static int missed(OneRelay world) {
        return world.linkNotes(LinkNote.Missed.class).size();
    }

    @Test
    void whatWasDatedWhileNobodyStreamedIsNoGapOfTheStream() {
        var world = new OneRelay().announce(1).root(1, 1).settled();
        world.relay.door(FarRelay.Door.SHUT);
        world.relay.drop();
        world.seconds(60);
        var meanwhile = comment(world.wall() - 5, 1);
        world.relay.keep(meanwhile);
        world.relay.door(FarRelay.Door.OPEN);
        world.run(Duration.ofMinutes(3));
        assertTrue(world.home.has(meanwhile), "by catching up");
        assertEquals(0, missed(world));
    }

    @Test
    void whatAStreamShouldHaveBroughtIsCountedWhenItComesLate() {
        var world = new OneRelay().announce(1).root(1, 1).settled();
        world.relay.keep(comment(OneRelay.BEGIN.getEpochSecond() - 1_000, 1)); // older than the connection
        var swallowed = comment(world.wall(), 1);
        world.relay.keep(swallowed);
        world.run(Duration.ofHours(26));
        assertTrue(world.home.has(swallowed), "by the daily comparison");
        assertEquals(1, missed(world));
        var another = comment(world.wall(), 1);
        world.relay.keep(another);
        world.seconds(10);
        world.relay.drop();
        world.run(Duration.ofMinutes(3));
        assertTrue(world.home.has(another), "by catching up");
        assertEquals(2, missed(world));
    }

    @Test
    void pagesInPlaceOfAComparisonAreToldFromOthers() {
        var world = new OneRelay().comparing().announceMany(12);
        world.relay.servesOnly(asked -> !asked.isHistoric() || asked.isAnnouncements());
        world.start();
        world.run(Duration.ofMinutes(4));
        var kinds = world.linkNotes(LinkNote.Watchdog.class).stream()
                .map(LinkNote.Watchdog::kind)
                .distinct()
                .toList();
        assertEquals(List.of("negentropy_fallback"), kinds);
    }

    @Test
    void whatBecomesOfEventsThatWereAskedForByIdIsCounted() {
        var world = new OneRelay().announce(1).root(1, 1).settled();
        var one = comment(1_000, 1);
        world.relay.keep(one);
        world.core().revive(world.relay.url, List.of(one.id(), id(99)), _ -> {});
        world.seconds(2);
        assertEquals(
                List.of("requested 2", "saved 1", "delivered 1", "not_delivered 1"),
                world.linkNotes(LinkNote.Hydrated.class).stream()
                        .map(note -> note.outcome() + " " + note.count())
                        .toList());
    }

    /// What was refused just now is told from what is on record as refused, and by the prefix of the refusal.
    @ParameterizedTest
    @EnumSource
    void refusalsOfEventsThatWereAskedForByIdAreToldApart(Prefix prefix) {
        boolean hasName = Set.of(Prefix.INVALID, Prefix.BLOCKED, Prefix.RESTRICTED, Prefix.POW)
                .contains(prefix);
        var world = new OneRelay().announce(1).root(1, 1).settled();
        var one = comment(1_000, 1);
        world.relay.keep(one);
        world.home.policy = _ -> new Ruling.Refused(Reason.OTHER, true, prefix);
        for (int i = 0; i < 2; i++) {
            world.core().revive(world.relay.url, List.of(one.id()), _ -> {});
            world.seconds(2);
        }
        assertEquals(
                List.of("rejected_" + (hasName ? prefix.word() : "other"), "rejected_cached"),
                world.linkNotes(LinkNote.Hydrated.class).stream()
                        .map(LinkNote.Hydrated::outcome)
                        .filter(word -> word.startsWith("rejected"))
                        .toList());
    }

    @Test
    void answersThatEndAndCompleteSyncsAreTold() {
        var world = new OneRelay().announce(1, 2).roots(1, 3, 1).settled();
        assertEquals(List.of(new LinkNote.Complete(2, 3, false, false)), world.linkNotes(LinkNote.Complete.class));
        assertTrue(world.linkNotes(LinkNote.Eose.class).size() > 3);
    }

    /// Row 148.
    @Test
    void everyFigureIsWhatTheRelaySeesWhenAllIsQuiet() {
        var world = new OneRelay().announceMany(30).roots(1, 250, 3).comment(1_000, 5);
        world.relay.keep(comment(1_000, 7));
        world.settled();
        world.relay.drop();
        world.run(Duration.ofMinutes(10));
        var link = world.picture().link();
        assertEquals(LinkState.CONNECTED, link.state());
        assertEquals(2, link.generation());
        assertEquals(world.relay.liveFilters().size(), link.liveFilters());
        assertEquals(world.relay.liveIds().size(), link.slotsLive());
        assertEquals(world.relay.connection().open.size(), link.slotsLive(), "nothing else is open");
        assertEquals(
                List.of(0, 0, 0, 0, 0, 0, 0, 0, 0),
                List.of(
                        link.batches(),
                        link.parked(),
                        link.slotsHistoric(),
                        link.slotsNegentropy(),
                        link.undecided(),
                        link.phantoms(),
                        link.dirtyPairs(),
                        link.sweptItems(),
                        link.givenUp()));
        assertTrue(link.completeUntil().orElseThrow() >= world.wall() - 60, "pings move it");
        var index = world.core().picture().index();
        assertEquals(
                List.of(30, 250, 1, 30), List.of(index.fullRepos(), index.roots(), index.members(), index.pairs()));
        assertTrue(world.linkNotes(LinkNote.Ids.class).stream().allMatch(note -> note.count() >= 0));
        assertTrue(world.linkNotes(LinkNote.Hydrated.class).stream().allMatch(note -> note.count() >= 0));
        world.unannounce(3);
        world.run(Duration.ofMinutes(5));
        assertEquals(29, world.core().picture().index().pairs());
        assertEquals(world.relay.liveFilters().size(), world.picture().link().liveFilters());
    }

    /// A relay that never answered was told to be complete until a few seconds ago.
    @Test
    void nothingIsSurelyHereBeforeAllWasFetchedOnce() {
        var world = new OneRelay().announce(1).root(1, 1);
        world.relay.servesOnly(asked -> !asked.isHistoric());
        world.start();
        for (int i = 0; i < 10; i++) {
            world.seconds(20);
            assertEquals(
                    OptionalLong.empty(),
                    world.core().picture().lagSeconds(world.picture()),
                    world.state().text());
        }
        assertTrue(world.coveredUntil().isPresent(), "which decides what the next connection asks for");
    }

    @Test
    void whatWasCompleteBeforeAQuickReconnectStaysSo() {
        var world = new OneRelay().announce(1).root(1, 1).settled();
        long before = world.picture().link().completeUntil().orElseThrow();
        assertTrue(before >= world.wall() - 60);
        world.relay.drop();
        world.seconds(8);
        assertTrue(world.link().isUp());
        assertTrue(world.picture().link().completeUntil().orElseThrow() >= before);
    }

    @Test
    void aLongGapIsToldUntilAllOfItWasFetched() {
        var world = new OneRelay().announce(1).root(1, 1).settled();
        world.relay.door(FarRelay.Door.SHUT);
        world.relay.drop();
        long lostAt = world.wall();
        world.run(Duration.ofMinutes(40));
        world.relay.servesOnly(asked -> !asked.isHistoric());
        world.relay.door(FarRelay.Door.OPEN);
        while (!world.link().isUp()) {
            world.seconds(10);
        }
        world.seconds(5);
        assertTrue(world.picture().link().completeUntil().orElseThrow() <= lostAt);
    }

    /// Room for four subscriptions is room for announcements alone; all was told to be streamed.
    @Test
    void whatAShortOfRoomRelayDoesNotStreamIsShown() {
        var world = new OneRelay().announceMany(3).root(1, 1);
        world.relay.subscriptionsMax(4);
        world.settled();
        var link = world.picture().link();
        assertEquals(1, link.liveFilters());
        assertEquals(GivenUp.EVERYTHING, link.givenUp());
        assertTrue(link.sweptItems() > 0);
        assertEquals(List.of(new LinkNote.GivenUp(0, GivenUp.EVERYTHING)), world.linkNotes(LinkNote.GivenUp.class));
        int few = link.sweptItems();
        world.announce(4, 5);
        world.seconds(20);
        assertTrue(world.picture().link().sweptItems() > few, "what is wanted later, too");
        world.run(Duration.ofMinutes(20));
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < 40; i++) {
            world.seconds(15);
            long lag = world.core().picture().lagSeconds(world.picture()).orElseThrow();
            least = Math.min(least, lag);
            most = Math.max(most, lag);
        }
        assertTrue(least < 30 && most > 250 && most < 400, least + " to " + most);
    }

    // ---- a CLOSE

    private final List<Runnable> unwritten = new ArrayList<>();

    private Wire wire() {
        var time = new OneRelay().time;
        var bearing = new Bearing(LinkConfig.DEFAULTS, Learned::new, time);
        return new Wire(
                new Transport.Line() {
                    @Override
                    public String machine() {
                        return "far";
                    }

                    @Override
                    public void send(Bytes text, Runnable written) {
                        unwritten.add(written);
                    }

                    @Override
                    public void ping() {
                        // nobody listens
                    }

                    @Override
                    public long heardAt() {
                        return 0;
                    }

                    @Override
                    public void close() {
                        // nobody listens
                    }
                },
                new Ledger(bearing),
                time,
                () -> {});
    }

    private static final Wire.Conversation NOBODY = new Wire.Conversation() {
        @Override
        public boolean expects(Event event) {
            return false;
        }

        @Override
        public Path path() {
            return Path.HISTORIC;
        }

        @Override
        public void took(Event event) {
            // nothing comes
        }

        @Override
        public void decided(Event event, Outcome outcome) {
            // nothing comes
        }

        @Override
        public void ended() {
            // nothing comes
        }

        @Override
        public void closed(String text) {
            // nothing comes
        }
    };

    @Test
    void closeThatDoesNotGoOutIsToldFromOneThatDoes() {
        var told = new ArrayList<Boolean>();
        var wire = wire();
        for (int number = 0; number < 2; number++) {
            var id = wire.newId('h');
            wire.subscribe(id, Use.REQUEST, List::of, NOBODY);
            wire.unsubscribe(id, Use.REQUEST);
            wire.afterClose(told::add);
        }
        assertEquals(List.of(), told);
        unwritten.get(1).run();
        assertEquals(List.of(true), told);
        wire.end();
        assertEquals(List.of(true, false), told);
    }
}
