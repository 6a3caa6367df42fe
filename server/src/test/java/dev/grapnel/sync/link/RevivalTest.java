package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.world.Gate.Ruling;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What purgatory wants to see again is asked for by links (sync R7.22a).
final class RevivalTest {
    private final OneRelay world = new OneRelay().announce(1).settled();
    private final List<Set<EventId>> told = new ArrayList<>();

    private void revive(EventId... ids) {
        world.core().revive(world.relay.url, List.of(ids), told::add);
    }

    @Test
    void relayIsAskedByIdAndWhatTheGateTakesIsTold() {
        var wanted = event(30_618, 1_000, "d", "another");
        var refused = event(30_618, 1_001, "d", "another");
        world.relay.keep(wanted);
        world.relay.keep(refused);
        world.home.policy = event -> event.id().equals(wanted.id()) ? new Ruling.Held() : new Ruling.Expired();
        long begun = world.now();
        var absent = OneRelay.id(5);
        revive(wanted.id(), refused.id(), absent);
        world.seconds(2);
        var asked = world.relay.askedSince(begun);
        assertEquals(List.of('i'), asked.stream().map(FarRelay.Asked::role).toList());
        assertEquals(
                Set.of(wanted.id(), refused.id(), absent),
                Set.copyOf(asked.getFirst().filters().getFirst().ids().orElseThrow()));
        assertEquals(List.of(Set.of(wanted.id())), told);
        assertEquals(LinkState.CONNECTED, world.state(), "that nobody has it is no failure");
    }

    @Test
    void relayThatIsNotLinkedHasNothing() {
        world.relay.door(FarRelay.Door.SHUT);
        world.relay.drop();
        world.seconds(1);
        revive(OneRelay.id(5));
        assertEquals(List.of(Set.of()), told);
        world.core().revive(world.relay("stranger.example").url, List.of(OneRelay.id(5)), told::add);
        assertEquals(List.of(Set.of(), Set.of()), told);
    }

    @Test
    void lostConnectionEndsTheQuestion() {
        world.relay.manner(_ -> {});
        revive(OneRelay.id(5));
        world.seconds(1);
        assertTrue(told.isEmpty());
        world.relay.drop();
        world.seconds(1);
        assertEquals(List.of(Set.of()), told);
    }

    @Test
    void lostConnectionEndsAQuestionWhoseAnswerCouldNotBeStored() {
        var wanted = event(30_618, 1_000, "d", "another");
        world.relay.keep(wanted);
        world.home.policy = _ -> new Ruling.Failed("no space left");
        revive(wanted.id());
        world.seconds(2);
        assertTrue(told.isEmpty(), "it is tried again");
        world.relay.drop();
        world.seconds(1);
        assertEquals(List.of(Set.of()), told);
    }

    /// A relay with small messages is asked in several requests; all of them count.
    @Test
    void whatSeveralRequestsBringIsToldTogether() {
        var small = new OneRelay();
        small.relay.messageMax(4_096);
        small.announce(1).settled();
        var wanted = IntStream.range(0, 100)
                .mapToObj(n -> event(30_618, 1_000 + n, "d", "another " + n))
                .toList();
        wanted.forEach(small.relay::keep);
        small.home.policy = _ -> new Ruling.Held();
        long begun = small.now();
        var ids = wanted.stream().map(Event::id).toList();
        small.core().revive(small.relay.url, ids, told::add);
        small.seconds(10);
        assertTrue(small.relay.askedSince(begun).size() > 1);
        assertEquals(List.of(Set.copyOf(ids)), told);
    }
}
