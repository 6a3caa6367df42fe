package dev.grapnel.sync.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.sim.Core.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Each invariant can be broken, and says so: what the core does not do is done in its place.
final class InvariantsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SimWorld world = new SimWorld(11, JoinedCore.usual());
    private final SimNode node = world.addNode("one.example.com");
    private final SimRelay relay = world.addRelay("relay.example.com", RelayModels.honest(500));
    private final SimEvents people = world.events(4);
    private final SimEvents.Repo repo = people.repository(0, List.of(node.name()), List.of(relay.url()));
    private final List<Invariant> watching = new ArrayList<>();

    @AfterEach
    void end() {
        world.close();
    }

    /// The node serves a repository and follows its relay.
    private void begin() {
        world.start();
        var state = people.state(repo, repo.owner);
        world.push(state, node.name());
        world.publish(people.announce(repo), List.of(node.url(), relay.url()));
        world.publish(state, List.of(node.url(), relay.url()));
        world.run(MINUTE);
    }

    private <T extends Invariant> T watch(T invariant) {
        watching.add(invariant);
        return invariant;
    }

    private void expectSilence() {
        watching.forEach(invariant -> assertEquals(List.of(), invariant.problems(Moment.QUIET), invariant.name()));
    }

    private static void expect(Invariant invariant, String words) {
        var problems = invariant.problems(Moment.QUIET);
        assertTrue(problems.stream().anyMatch(problem -> problem.contains(words)), problems::toString);
    }

    /// Sends something over the node's connection that its core would not.
    private void ask(String id, Filter filter) {
        var message = new ClientMessage.Subscribe(new SubscriptionId(id), List.of(filter));
        world.network().connections(node.name()).getFirst().send(message.json(), () -> {});
    }

    private Filter repositoryBy(char letter) {
        return Filter.builder().tag(letter, List.of(repo.coordinate())).build();
    }

    private void synced(Event event) {
        node.ruled(event, relay.url(), node.life().sync(event, relay.url()));
    }

    // ---- what is stored

    @Test
    void whatNobodySignedIsNoticed() {
        var genuine = watch(new Genuine(world));
        begin();
        expectSilence();
        node.submit(people.issue(repo));
        expect(genuine, "which nobody signed so");
    }

    @Test
    void whatIsRememberedOfNobodyIsNoticed() {
        var genuine = watch(new Genuine(world));
        begin();
        expectSilence();
        var state = people.state(repo, 3);
        relay.publish(state);
        world.run(MINUTE);
        expect(genuine, "a refusal of " + state.id());
    }

    @Test
    void whatIsTakenOrRefusedWithoutReasonIsNoticed() {
        var parity = watch(new Parity(world));
        begin();
        expectSilence();
        var issue = people.issue(repo);
        var comment = people.comment(repo, issue, issue);
        world.publish(comment, List.of(relay.url()));
        synced(comment);
        synced(issue);
        world.publish(issue, List.of(relay.url()));
        expect(parity, "does not serve kind 1111 " + comment.id());
        world.run(Duration.ofMinutes(5));
        assertTrue(node.serves(comment.id()));
        expectSilence();
        var late = new Parity(world);
        world.publish(people.comment(repo, issue, issue), List.of(node.url()));
        expect(late, "which is refused elsewhere");
    }

    @Test
    void statesThatDifferAreNoticed() {
        var other = world.addNode("two.example.com");
        var agreement = watch(new Agreement(world));
        repo.servers = List.of(node.name(), other.name());
        begin();
        world.publish(people.announce(repo), List.of(node.url(), other.url()));
        world.run(Duration.ofMinutes(10));
        expectSilence();
        var state = people.state(repo, repo.owner);
        world.push(state, node.name());
        world.publish(state, List.of(node.url()));
        expect(agreement, "lacks 30618:");
        world.run(MINUTE);
        expectSilence();
    }

    @Test
    void anIndexThatIsBehindIsNoticed() {
        var inversion = watch(new Inversion(world));
        begin();
        expectSilence();
        var issue = people.issue(repo);
        world.publish(issue, List.of(node.url()));
        expect(inversion, "instead of [" + issue.id().toHex());
        world.run(MINUTE);
        expectSilence();
    }

    // ---- what is asked

    @Test
    void whatIsAskedTooEarlyIsNoticed() {
        var levels = watch(new Levels(world));
        begin();
        expectSilence();
        ask("h-early", Filter.builder().tag('e', List.of("1".repeat(64))).build());
        expect(levels, "which is not served");
    }

    @Test
    void whatIsStreamedTwiceIsNoticed() {
        var once = watch(new LiveOnce(world));
        begin();
        expectSilence();
        ask("l-twice", repositoryBy('a').toBuilder().limit(0).build());
        world.run(Duration.ofSeconds(6));
        expect(once, "streams #a " + repo.coordinate() + " twice");
    }

    @Test
    void slotsThatNobodyHasAreNoticed() {
        var slots = watch(new Slots(world));
        var politeness = watch(new Politeness(world));
        begin();
        expectSilence();
        IntStream.range(0, 25).forEach(number -> ask("h-" + number, repositoryBy('a')));
        world.run(Duration.ofSeconds(5));
        expect(slots, "open, where");
        expect(politeness, "open at");
    }

    @Test
    void hasteAndRepetitionAreNoticed() {
        var requests = watch(new Requests(world));
        begin();
        expectSilence();
        IntStream.range(0, 40).forEach(number -> ask("h-" + number, repositoryBy('a')));
        expect(requests, "was asked faster than");
        for (int count = 0; count < 2; count++) {
            ask("h-again", repositoryBy('A'));
            world.run(Duration.ofSeconds(5));
            var close = new ClientMessage.Unsubscribe(new SubscriptionId("h-again"));
            world.network().connections(node.name()).getFirst().send(close.json(), () -> {});
        }
        expect(requests, "was asked once more");
    }

    @Test
    void aRestWithoutReasonIsNoticed() {
        var learning = watch(new Learning(world));
        begin();
        expectSilence();
        var session = relay.sessions().getFirst();
        session.end(session.open().getFirst(), "rate-limited: slow down");
        world.run(MINUTE);
        expect(learning, "though nobody asked it to slow down");
    }

    // ---- how it goes on

    @Test
    void aLinkThatIsStuckIsNoticed() {
        var slow = world.addRelay("slow.example.com", RelayModels.plain(500).thinking(MINUTE));
        var progress = watch(new Progress(world));
        repo.relays = List.of(relay.url(), slow.url());
        begin();
        expectSilence();
        world.network()
                .tap()
                .lines()
                .forEach(line -> line.worked -= Duration.ofHours(1).toNanos());
        expect(progress, "nothing has happened for");
    }

    @Test
    void eventsThatNobodyDecidesAboutAreNoticed() {
        var sight = watch(new Sight(world));
        begin();
        expectSilence();
        var port = node.life().port();
        port.undecided(Hearing.MESSAGE_MAX);
        port.decided(Hearing.MESSAGE_MAX, Duration.ofSeconds(2).toNanos());
        port.sent(51);
        expect(sight, "to decide about an event");
        port.undecided((int) NodePort.UNDECIDED_BYTES_MAX);
        port.undecided(2 * Hearing.MESSAGE_MAX);
        expect(sight, "bytes undecided");
        expect(sight, "messages in a second");
    }

    @Test
    void aRelayToBeginWithThatIsNotFollowedIsNoticed() {
        var backoff = watch(new Backoff(world));
        begin();
        expectSilence();
        node.bootstrap(
                world.addRelay("forgotten.example.com", RelayModels.honest(500)).url());
        expect(backoff, "with which it is to begin");
        node.bootstrap(relay.url());
        expectSilence();
        world.network().stop(relay.url());
        node.crash();
        world.run(Duration.ofHours(2));
        node.restart();
        world.run(MINUTE);
        expectSilence();
    }

    @Test
    void whatCoresSayOfThemselvesIsHeard() {
        var honest = new SimWorld(1, _ -> new Core() {
            @Override
            public void start() {}

            @Override
            public void stop() {}

            @Override
            public List<String> problems(Watched invariant, Moment moment) {
                return List.of("it is not so");
            }
        });
        honest.addNode("one.example.com");
        honest.start();
        assertEquals(
                Core.Watched.values().length,
                new CoreWatch(honest).problems(Moment.STEP).size());
        honest.close();
    }
}
