package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.sync.link.FarRelay.Door;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// When a relay is asked what it says of itself (sync R4.5).
final class DocumentsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final OneRelay world = new OneRelay().announce(1);

    @Test
    void whoCannotBeAskedIsAskedAgainOnceInAnHourHoweverOftenItIsDialled() {
        world.relay.isInformationLost = true;
        world.relay.door(Door.SHUT);
        world.start();
        world.run(HOUR.minusMinutes(1));
        assertEquals(10, world.relay.dials.size());
        assertEquals(1, world.relay.informationAsked);
        world.run(HOUR.multipliedBy(2));
        assertEquals(3, world.relay.informationAsked, "it is dialled hourly by now");
    }

    @Test
    void afterAConnectionItIsAskedBeforeTheNextDial() {
        world.relay.isInformationLost = true;
        world.settled();
        world.relay.drop();
        world.run(Duration.ofMinutes(1));
        assertEquals(2, world.relay.opened());
        assertEquals(2, world.relay.informationAsked);
    }

    @Test
    void anAnswerHoldsForADay() {
        world.settled();
        for (int hour = 0; hour < 23; hour++) {
            world.run(HOUR);
            world.relay.drop();
        }
        assertEquals(1, world.relay.informationAsked);
        world.run(HOUR);
        world.relay.drop();
        world.run(HOUR);
        assertEquals(2, world.relay.informationAsked);
    }
}
