package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.world.Gate.Ruling;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a relay brought and something of ours could not take: it is asked for again, and nothing waits for it for ever
/// (sync R4.15, R5.8, R7.11).
final class OwnFailuresTest {
    /// R5.8 counts how often a relay was asked in vain, and here it brings the same event of its own accord.
    @Test
    void copiesThatCameLiveAndCouldNotBeStoredAreNoTries() {
        var world = new OneRelay().announce(1).root(1, 1).settled();
        var event = OneRelay.event(
                OneLink.REACTION, world.wall(), "e", OneRelay.id(1).toString());
        world.home.policy = _ -> new Ruling.Failed("no space left");
        for (int copy = 0; copy < 8; copy++) {
            world.relay.publish(event);
        }
        world.seconds(1);
        assertEquals(0, world.picture().link().phantoms());
        world.home.policy = _ -> new Ruling.Stored();
        world.seconds(120);
        assertTrue(world.home.has(event));
    }

    @Test
    void anEndDoesNotWaitForWhatFailedBeforeItWasJudged() {
        var world = new OneRelay().announce(1).root(10, 1);
        var event = OneRelay.event(1621, 1_000_000, "a", OneRelay.repo(1).toString());
        world.relay.keep(event);
        world.home.unreadable.add(event.id());
        assertThrows(IllegalStateException.class, world::start);
        world.seconds(30);
        assertEquals(LinkState.WITH_FAILURES, world.state());
        assertEquals(1, world.picture().link().parked());
        world.home.unreadable.clear();
        world.seconds(60);
        assertTrue(world.home.has(event));
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void whatComesAfterAnEventGoesOnThoughSomethingFails() {
        var arrived = new Arrived();
        var done = new ArrayList<String>();
        var event = arrived.event();
        arrived.then(() -> {
            throw new IllegalStateException("failing, as the test wants");
        });
        arrived.then(() -> done.add("behind it"));
        assertThrows(IllegalStateException.class, () -> arrived.decided(event));
        assertEquals(List.of("behind it"), done);
        assertEquals(0, arrived.undecided());
    }
}
