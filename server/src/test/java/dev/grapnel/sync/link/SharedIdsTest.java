package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Events that comparisons with two relays name, where one of them is asked first (R5.6).
final class SharedIdsTest {
    private static boolean isById(FarRelay.Asked one) {
        return one.role() == 'i';
    }

    private static int timesAsked(FarRelay relay, Event event) {
        return relay.asked(one -> one.filters().stream()
                        .anyMatch(filter -> filter.ids().orElse(List.of()).contains(event.id())))
                .size();
    }

    private static void compare(OneRelay world, FarRelay relay) {
        world.core().compareNow(Optional.of(relay.url));
        world.seconds(2);
    }

    /// It was left to the other relay, and to that alone, until the next day.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "blocked: not by id",
                "restricted: members only",
                "rate-limited: slow down",
                "error: no luck today",
                "too many concurrent REQs",
                "invalid: what"
            })
    void whatOneRelayRefusesToGiveIsAskedOfTheOther(String text) {
        var world = new OneRelay().comparing();
        var other = world.relay("other.example.com");
        world.relay.compares();
        other.compares();
        world.announce(OneRelay.repo(1), world.relay, other).settled();
        long before = world.wall() - 3_600; // what is missed is not asked for from so far back
        var issue = OneRelay.event(1621, before, "a", OneRelay.repo(1).toString());
        other.keep(issue);
        world.relay.keep(issue);
        other.servesOnly(one -> !isById(one));
        compare(world, other);
        compare(world, world.relay);
        assertEquals(1, timesAsked(other, issue));
        assertEquals(0, timesAsked(world.relay, issue));
        other.close(other.asked(SharedIdsTest::isById).getLast().id(), text);
        world.seconds(2);
        assertEquals(1, timesAsked(world.relay, issue));
        assertTrue(world.home.has(issue));
    }

    /// I11: it names what is here, and would keep back what others have for as long as it may be silent.
    @Test
    void whatOneRelayDoesNotSendIsAskedOfTheOtherWithinSeconds() {
        var world = new OneRelay().comparing();
        var mute = world.relay("mute.example.com");
        world.relay.compares();
        mute.compares();
        world.announce(OneRelay.repo(1), world.relay, mute).settled();
        var issues = IntStream.range(0, 150)
                .mapToObj(i -> OneRelay.event(
                        1621, world.wall() - 3_600 - i, "a", OneRelay.repo(1).toString()))
                .toList();
        issues.forEach(world.relay::keep);
        issues.forEach(mute::keep);
        mute.servesOnly(one -> !isById(one));
        compare(world, mute);
        compare(world, world.relay);
        assertEquals(0, issues.stream().filter(world.home::has).count());
        world.seconds(10);
        assertEquals(150, issues.stream().filter(world.home::has).count());
        issues.forEach(issue -> assertEquals(1, timesAsked(world.relay, issue)));
    }
}
