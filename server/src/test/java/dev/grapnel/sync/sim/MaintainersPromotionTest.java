package dev.grapnel.sync.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Somebody's announcement was refused because nobody here had named him (test 128).
final class MaintainersPromotionTest {
    private static final int ANN = 0;
    private static final int BOB = 1;

    /// How the git data of the owner's state comes.
    enum Way {
        PUSH,
        HUNT,
        /// It is here when a relay brings the state.
        SYNC
    }

    @ParameterizedTest
    @EnumSource
    void announcementOfAMaintainerIsServedWithinASecondOfTheOwners(Way way) {
        try (var world = new SimWorld(31, JoinedCore.usual())) {
            var node = world.addNode("one.example.com");
            var relay = world.addRelay("relay.example.com", RelayModels.honest(500));
            node.bootstrap(relay.url());
            world.start();
            var people = world.events(4);
            var repo = people.repository(ANN, List.of("two.example.com"), List.of(relay.url()));
            var rulings = new ArrayList<Ruling>();
            node.watchRulings(ruled -> rulings.add(ruled.ruling()));
            var bobs = people.accept(repo, BOB);
            world.publish(bobs, List.of(relay.url()));
            world.run(Duration.ofSeconds(30));
            assertEquals(1, rulings.size());
            assertTrue(rulings.getFirst() instanceof Ruling.Refused, rulings::toString);

            Map<EventId, Duration> servedAt = new HashMap<>();
            node.watchServed(
                    event -> servedAt.putIfAbsent(event.id(), world.time().elapsed()));
            repo.servers = List.of(node.name(), "two.example.com");
            repo.invited.add(BOB);
            var owners = people.announce(repo);
            var state = people.state(repo, ANN);
            var place = List.of(way == Way.PUSH ? node.url() : relay.url());
            if (way != Way.PUSH) {
                world.push(state, way == Way.HUNT ? "two.example.com" : node.name());
            }
            world.publish(owners, place);
            if (way != Way.SYNC) { // otherwise it is served as soon as it comes
                world.run(Duration.ofSeconds(10));
                assertFalse(servedAt.containsKey(owners.id()));
            }
            world.publish(state, place);
            if (way == Way.PUSH) {
                world.run(Duration.ofSeconds(10));
                assertFalse(servedAt.containsKey(owners.id()));
                world.push(state, node.name());
            }
            world.run(Duration.ofMinutes(2));
            var bobsAt = Objects.requireNonNull(servedAt.get(bobs.id()), "the maintainer's");
            var ownersAt = Objects.requireNonNull(servedAt.get(owners.id()), "the owner's");
            var later = bobsAt.minus(ownersAt);
            assertTrue(later.compareTo(Duration.ofSeconds(1)) <= 0, later::toString);
        }
    }
}
