package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.sync.link.FarRelay.Door;
import dev.grapnel.sync.world.RelayInformation;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
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

    @Test
    void aServiceThatIsNoLongerPrivateIsCalledAtOnceWhenTheOperatorAsks() {
        world.relay.information = new RelayInformation(
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                false,
                Optional.of(Set.of("GRASP-01", "GRASP-08")));
        world.start();
        world.run(HOUR);
        assertEquals(0, world.relay.opened());
        world.relay.information = RelayInformation.NONE;
        world.core().compareNow(Optional.of(world.relay.url));
        world.run(Duration.ofMinutes(1));
        assertEquals(1, world.relay.opened());
    }
}
