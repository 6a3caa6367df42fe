package dev.grapnel.sync.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.Script.Tale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whole worlds with the real core (test 146), and what tells whether they are right.
final class SimulationTest {
    /// How many worlds are tried; more by `-Dgrapnel.simulation.seeds=`.
    private static final int SEEDS = Integer.getInteger("grapnel.simulation.seeds", 200);

    private static final int FEW = 3;

    private static final Story QUIET =
            new Story(2, 2, 5, 2, 20, Duration.ofMinutes(20), Duration.ZERO, 0, Duration.ofMinutes(1));

    @Test
    void nodesAreCompleteAMinuteAfterTheLastEvent() {
        for (long seed = 1; seed <= FEW; seed++) {
            QUIET.run(seed, JoinedCore.usual(), _ -> RelayModels.honest(500));
        }
    }

    /// I1 with no fault since connecting: up to a thousand things within a minute.
    @Test
    void aThousandThingsAreHereAMinuteAfterConnecting() {
        for (var model : List.of(RelayModels.honest(500), RelayModels.existing(), RelayModels.strfry())) {
            try (var stage = new Stage(model)) {
                var repo = stage.repo;
                for (int count = 0; count < 450; count++) {
                    var issue = stage.put(stage.people.issue(repo));
                    stage.put(stage.people.comment(repo, issue, issue));
                    stage.run(Duration.ofSeconds(1));
                }
                stage.open().run(Duration.ofMinutes(1));
                assertEquals(List.of(), new Convergence(stage.world).problems(Moment.QUIET), model.name);
            }
        }
    }

    /// Every seed has other relays, a liar and other faults.
    @Test
    void nodesConvergeInSpiteOfFaultsAndLiars() throws InterruptedException {
        var failures = SimulationRun.failures(Tale.BRIEF, 1, SEEDS);
        assertEquals("", String.join("\n", failures));
    }

    /// I11, I12 and the second half of I20.
    @ParameterizedTest
    @EnumSource(
            value = Tale.class,
            names = {"STILLNESS", "ISOLATION"})
    void nothingIsDelayedByLiarsNorSentTwice(Tale tale) throws InterruptedException {
        var failures = SimulationRun.failures(tale, 1, 12);
        assertEquals("", String.join("\n", failures));
    }

    @Test
    void aRunIsAFunctionOfItsSeed() {
        assertEquals(hash(7), hash(7));
        assertNotEquals(hash(7), hash(8));
    }

    private static long hash(long seed) {
        return QUIET.run(seed, JoinedCore.usual(), _ -> RelayModels.existing());
    }

    // ---- the invariants themselves

    private final SimWorld world = new SimWorld(3, CoreFactory.NONE);
    private final SimNode node = world.addNode("one.example.com");
    private final SimRelay relay = world.addRelay("relay.example.com", RelayModels.honest(500));

    private List<Event> conversation() {
        world.start();
        var events = world.events(4);
        var repo = events.repository(0, List.of(node.name()), List.of(relay.url()));
        var made = new ArrayList<Event>();
        made.add(events.announce(repo));
        made.add(events.state(repo, 0));
        for (int count = 0; count < 12; count++) {
            world.run(Duration.ofSeconds(1));
            made.add(events.next(repo));
        }
        made.forEach(event -> world.push(event, node.name()));
        return made;
    }

    @Test
    void whatIsMissingIsNoticed() {
        var events = conversation();
        world.publish(events.get(0), List.of(relay.url(), node.url()));
        world.publish(events.get(1), List.of(relay.url(), node.url()));
        var convergence = new Convergence(world);
        assertEquals(List.of(), convergence.problems(Moment.QUIET));
        events.forEach(event -> world.publish(event, List.of(relay.url())));
        assertTrue(convergence.problems(Moment.QUIET).size() > 3);
        events.forEach(event -> world.publish(event, List.of(node.url())));
        assertEquals(List.of(), convergence.problems(Moment.QUIET));
        world.close();
    }

    /// But nobody can have the answer to what had its time in vain.
    @Test
    void nodesThatDifferAreNoticed() {
        var other = world.addNode("two.example.com");
        world.start();
        var events = world.events(4);
        var repo = events.repository(0, List.of(node.name(), other.name()), List.of());
        var both = List.of(node.url(), other.url());
        for (var event : List.of(events.announce(repo), events.state(repo, 0))) {
            repo.servers.forEach(server -> world.push(event, server));
            world.publish(event, both);
        }
        var agreement = new Agreement(world);
        var issue = events.issue(repo);
        world.publish(issue, List.of(node.url()));
        assertEquals(1, agreement.problems(Moment.QUIET).size());
        world.publish(issue, List.of(other.url()));
        assertEquals(List.of(), agreement.problems(Moment.QUIET));

        var proposal = events.pullRequest(repo);
        world.publish(proposal, List.of(other.url()));
        world.run(Duration.ofHours(1));
        world.push(proposal, node.name());
        var status = events.status(proposal);
        world.publish(proposal, List.of(node.url()));
        world.publish(status, both);
        assertTrue(node.serves(status.id()));
        assertFalse(other.serves(status.id()));
        assertEquals(List.of(), agreement.problems(Moment.QUIET));
        world.close();
    }

    /// Without deletions: what was said of something that is gone stays, and is refused where that never was.
    @Test
    void theOrderOfEventsDoesNotMatter() {
        var events = conversation().stream()
                .filter(event -> event.kind() != Kinds.DELETION)
                .toList();
        var first = Experiments.directly(node.name(), world.git(), events, world);
        assertTrue(first.size() > events.size() / 2, () -> first.size() + " of " + events.size());
        for (long seed = 1; seed <= FEW; seed++) {
            var shuffled = new ArrayList<>(events);
            Collections.shuffle(shuffled, new Random(seed));
            assertEquals(first, Experiments.directly(node.name(), world.git(), shuffled, world));
        }
        assertEquals(Set.of(), Experiments.directly("other.example.com", world.git(), events, world));
        world.close();
    }

    @Test
    void aRudeClientIsNoticed() {
        var rude = new SimWorld(4, ports -> new NaiveCore(ports, Duration.ofSeconds(5)));
        var server = rude.addNode("rude.example.com");
        var strict =
                rude.addRelay("strict.example.com", RelayModels.existingOlder().queries(2, "rate-limited: slow"));
        var other = rude.addRelay("other.example.com", RelayModels.honest(500));
        var politeness = new Politeness(rude);
        var backoff = new Backoff(rude);
        server.bootstrap(strict.url());
        rude.start();
        var repo = rude.events(3).repository(0, List.of(server.name()), List.of(strict.url(), other.url()));
        rude.publish(rude.events(3).announce(repo), List.of(server.url()));
        rude.run(Duration.ofMinutes(1));
        rude.network().stop(strict.url());
        rude.run(Duration.ofMinutes(10));
        assertTrue(backoff.problems(Moment.QUIET).getFirst().contains("instead of"));
        var complaints = politeness.problems(Moment.QUIET);
        assertTrue(
                complaints.stream().anyMatch(complaint -> complaint.contains("after it was asked to slow down")),
                complaints::toString);
        rude.close();
    }
}
