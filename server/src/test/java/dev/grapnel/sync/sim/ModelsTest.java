package dev.grapnel.sync.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.sync.sim.Core.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One node and one relay of each make: what the relay had, and what comes later, is here in the end (tests 53, 84, 87,
/// 99, 100, 105, 106, 153).
final class ModelsTest {
    record Made(String name, Supplier<RelayModel> model) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Made> models() {
        return Stream.concat(
                Stream.of(1, 19, 20, 74, 75, 500)
                        .map(page -> new Made("pages of " + page, () -> RelayModels.plain(page))),
                Stream.of(
                        new Made("honest", () -> RelayModels.honest(500)),
                        new Made("existing", RelayModels::existing),
                        new Made("existing, older", RelayModels::existingOlder),
                        new Made("strfry", RelayModels::strfry),
                        new Made("small", RelayModels::small),
                        new Made("hundred", RelayModels::hundred),
                        new Made("without limit zero", RelayModels::withoutLimitZero),
                        new Made("three filters", RelayModels::threeFilters),
                        new Made("authenticating", RelayModels::authenticating),
                        new Made("boasting", RelayModels::boasting),
                        new Made("grapnel", RelayModels::grapnel)));
    }

    @ParameterizedTest
    @MethodSource("models")
    void everythingArrives(Made made) {
        var world = new SimWorld(5, JoinedCore.usual());
        var node = world.addNode("one.example.com");
        var relay = world.addRelay("relay.example.com", made.model().get());
        world.start();
        var events = world.events(4);
        var repo = events.repository(0, List.of(node.name()), List.of(relay.url()));
        var before = new ArrayList<Event>(List.of(events.announce(repo), events.state(repo, 0)));
        for (int i = 0; i < 60; i++) {
            world.run(Duration.ofSeconds(1));
            before.add(events.next(repo));
        }
        before.forEach(event -> world.push(event, node.name()));
        world.publish(before.getFirst(), List.of(node.url()));
        before.forEach(event -> world.publish(event, List.of(relay.url())));
        world.run(Duration.ofHours(2));
        var convergence = new Convergence(world);
        assertEquals(List.of(), convergence.problems(Moment.QUIET));
        for (int i = 0; i < 10; i++) {
            var event = events.next(repo);
            world.push(event, node.name());
            world.publish(event, List.of(relay.url()));
            world.run(Duration.ofSeconds(5));
        }
        world.run(Duration.ofMinutes(20));
        assertEquals(List.of(), convergence.problems(Moment.QUIET));
        world.close();
    }
}
