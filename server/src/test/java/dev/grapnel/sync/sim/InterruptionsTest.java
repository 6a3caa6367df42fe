package dev.grapnel.sync.sim;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.sync.sim.SimEvents.Repo;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Nothing is lost by interruptions that are short enough (I3), and what stories like these have found.
final class InterruptionsTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    private final SimWorld world = new SimWorld(6, JoinedCore.usual());
    private final SimNode node = world.addNode("one.example.com");
    private final SimRelay first = world.addRelay("first.example.com", RelayModels.honest(500));

    @Test
    void shortInterruptionsLoseNothing() {
        for (long seed = 1; seed <= 3; seed++) {
            Interruptions.run(Interruptions.USUAL, seed, JoinedCore.usual());
        }
    }

    /// A repository that is served, and known at the first relay.
    private Repo repository(SimEvents events, List<SimRelay> relays) {
        var repo = events.repository(
                0, List.of(node.name()), relays.stream().map(SimRelay::url).toList());
        var state = events.state(repo, 0);
        world.push(state, node.name());
        publish(events.announce(repo));
        publish(state);
        return repo;
    }

    private void publish(Event event) {
        world.publish(event, List.of(node.url(), first.url()));
        world.run(SOON);
    }

    private void name(SimEvents events, Repo repo, List<SimRelay> relays) {
        repo.relays = relays.stream().map(SimRelay::url).toList();
        publish(events.announce(repo));
    }

    @Test
    void answersToCommentsAreReadWhereARepositoryComesLater() {
        var second = world.addRelay("second.example.com", RelayModels.honest(500));
        world.start();
        var events = world.events(4);
        repository(events, List.of(first, second)); // so that both are connected
        var repo = repository(events, List.of(first));
        var issue = events.issue(repo);
        publish(issue);
        var comment = events.comment(repo, issue, issue);
        publish(comment);
        var reply = events.reply(repo, comment);
        second.put(reply);
        name(events, repo, List.of(first, second));
        assertTrue(node.serves(reply.id()));
        var next = events.reply(repo, comment);
        second.publish(next);
        world.run(SOON);
        assertTrue(node.serves(next.id()), "it is not streamed");
        world.close();
    }

    @Test
    void answersToCommentsAreReadAgainWhereARepositoryComesBack() {
        var second = world.addRelay("second.example.com", RelayModels.honest(500));
        world.start();
        var events = world.events(4);
        repository(events, List.of(first, second));
        var repo = repository(events, List.of(first, second));
        var issue = events.issue(repo);
        publish(issue);
        var comment = events.comment(repo, issue, issue);
        publish(comment);
        name(events, repo, List.of(first));
        world.run(SOON);
        var reply = events.reply(repo, comment);
        second.put(reply);
        world.run(SOON);
        assertFalse(node.serves(reply.id()));
        name(events, repo, List.of(first, second));
        assertTrue(node.serves(reply.id()));
        world.close();
    }

    @Test
    void aRelayWithFewSlotsIsSwept() {
        var few = world.addRelay(
                "few.example.com",
                RelayModels.plain(500)
                        .subscriptions(3, "error: max 3 subscriptions")
                        .disclosing());
        world.start();
        var events = world.events(4);
        var repo = repository(events, List.of(few));
        var issue = events.issue(repo);
        few.publish(issue);
        world.run(Duration.ofMinutes(6));
        assertTrue(node.serves(issue.id()));
        world.close();
    }

    /// When the word of the relay comes, most of what it counted has been closed.
    @Test
    void aRefusalIsJudgedByWhatWasOpenWhenTheRequestWasSent() {
        var small = world.addRelay("small.example.com", RelayModels.small());
        world.start();
        var events = world.events(4);
        repository(events, List.of(small));
        repository(events, List.of(small));
        var repo = repository(events, List.of());
        var issue = events.issue(repo);
        publish(issue);
        publish(events.comment(repo, issue, issue));
        name(events, repo, List.of(small)); // nine requests beside four that are live, where ten may be open
        assertTrue(small.record().count(RelayRecord.Limit.SUBSCRIPTIONS) > 0, "it was never refused");
        var next = events.issue(repo);
        small.publish(next);
        world.run(Duration.ofSeconds(10));
        assertTrue(node.serves(next.id()), "it is not streamed any more");
        world.close();
    }
}
