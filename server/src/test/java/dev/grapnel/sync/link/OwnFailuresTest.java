package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.world.Gate.Ruling;
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
}
