package dev.grapnel.sync.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Gate.Ruling;
import dev.grapnel.sync.world.Mutation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SimNodeTest {
    private final SimWorld world = new SimWorld(1, CoreFactory.NONE);
    private final SimNode node = world.addNode("one.example.com");
    private final SimRelay relay = world.addRelay("relay.example.com", RelayModels.honest(500));
    private final SimEvents events;
    private final SimEvents.Repo repo;

    SimNodeTest() {
        world.start();
        events = world.events(5);
        repo = events.repository(0, List.of(node.name()), List.of(relay.url()));
    }

    @AfterEach
    void close() {
        world.close();
    }

    private Ruling sync(Event event) {
        return node.life().sync(event, relay.url());
    }

    @Test
    void anAnnouncementWaitsForAStateWithItsGitData() {
        var announcement = events.announce(repo);
        var state = events.state(repo, 0);
        assertInstanceOf(Ruling.Held.class, sync(announcement));
        assertInstanceOf(Ruling.KnownHeld.class, sync(announcement));
        assertInstanceOf(Ruling.Held.class, sync(state));
        world.run(Duration.ofSeconds(10));
        assertEquals(Set.of(), node.storedIds());
        world.push(state, node.name());
        var newer = later(() -> events.state(repo, 0));
        world.push(newer, "other.example.com");
        assertInstanceOf(Ruling.Held.class, sync(newer));
        assertEquals(Set.of(state.id(), announcement.id()), node.storedIds());
    }

    private <T> T later(Supplier<T> work) {
        world.run(Duration.ofSeconds(1));
        return work.get();
    }

    @Test
    void gitDataIsHuntedAtOtherHostsHalfASecondLater() {
        var other = world.addNode("two.example.com");
        repo.servers = List.of(node.name(), other.name());
        var announcement = events.announce(repo);
        var state = events.state(repo, 0);
        world.push(state, other.name());
        sync(announcement);
        assertInstanceOf(Ruling.Held.class, sync(state));
        world.run(Duration.ofMillis(499));
        assertEquals(Set.of(), node.storedIds());
        world.run(Duration.ofSeconds(3));
        assertEquals(Set.of(announcement.id(), state.id()), node.storedIds());
    }

    @Test
    void dataThatIsHereServesAtOnce() {
        var state = events.state(repo, 0);
        world.push(state, node.name());
        sync(events.announce(repo));
        assertInstanceOf(Ruling.Stored.class, sync(state));
        assertInstanceOf(Ruling.Duplicate.class, sync(state));
    }

    private void serve() {
        var state = events.state(repo, 0);
        world.push(state, node.name());
        node.submit(events.announce(repo));
        node.submit(state);
        assertEquals(2, node.stored().size());
        world.run(Duration.ofSeconds(1));
    }

    @Test
    void rulingsAreThoseOfTheRealPolicy() {
        assertInstanceOf(Ruling.Refused.class, sync(events.issue(repo)));
        serve();
        var issue = events.issue(repo);
        assertInstanceOf(Ruling.Stored.class, sync(issue));
        assertInstanceOf(Ruling.Held.class, sync(events.pullRequest(repo)));
        assertInstanceOf(Ruling.Stored.class, sync(events.comment(repo, issue, issue)));
        assertInstanceOf(Ruling.Refused.class, sync(events.junk()));
        assertInstanceOf(Ruling.Stored.class, sync(later(() -> events.deletion(issue))));
        assertInstanceOf(Ruling.Deleted.class, sync(issue));
        var older = events.announce(repo);
        assertInstanceOf(Ruling.Stored.class, sync(later(() -> events.announce(repo))));
        assertInstanceOf(Ruling.Superseded.class, sync(older));
        node.jump(Duration.ofHours(-1));
        assertInstanceOf(Ruling.Ahead.class, sync(events.issue(repo)));
    }

    @Test
    void aFullDiskIsAFailureThatPasses() {
        serve();
        node.fillDisk(true);
        var issue = events.issue(repo);
        assertInstanceOf(Ruling.Failed.class, sync(issue));
        world.run(Duration.ofMinutes(5));
        node.fillDisk(false);
        assertInstanceOf(Ruling.Stored.class, sync(issue));
    }

    @Test
    void whatWaitsTooLongIsForgottenAndThenRefused() {
        var announcement = events.announce(repo);
        var state = events.state(repo, 0);
        sync(announcement);
        sync(state);
        world.run(Duration.ofMinutes(32));
        assertEquals(Set.of(announcement.id()), node.heldIds());
        assertEquals(Archive.Standing.EXPIRED, node.life().archive().standing(state.id()));
        assertInstanceOf(Ruling.Expired.class, sync(state));
        world.run(Duration.ofHours(25));
        assertEquals(Set.of(), node.heldIds());
        assertInstanceOf(Ruling.Expired.class, sync(announcement));
        world.run(Duration.ofDays(8));
        assertInstanceOf(Ruling.Held.class, sync(announcement));
    }

    @Test
    void aCrashLeavesWhatIsDurable() {
        serve();
        var held = events.pullRequest(repo);
        sync(held);
        var before = node.storedIds();
        node.crash();
        assertFalse(node.isAlive());
        world.run(Duration.ofMinutes(1));
        node.restart();
        assertEquals(before, node.storedIds());
        assertEquals(Set.of(held.id()), node.heldIds());
        world.push(held, "elsewhere.example.com");
        world.git().put(node.name(), SimEvents.objects(held));
        world.run(Duration.ofMinutes(40));
        assertEquals(Set.of(), node.heldIds());
    }

    @Test
    void aForkKnowsAllAndChangesNothing() {
        serve();
        var copy = node.fork();
        assertEquals(node.storedIds(), copy.storedIds());
        var issue = events.issue(repo);
        assertInstanceOf(Ruling.Stored.class, copy.life().sync(issue, relay.url()));
        assertFalse(node.serves(issue.id()));
        copy.crash();
    }

    @Test
    void aConfirmedMaintainerMaySignStates() {
        serve();
        repo.invited.add(1);
        node.submit(events.announce(repo));
        var state = events.state(repo, 1);
        world.push(state, node.name());
        assertInstanceOf(Ruling.Refused.class, sync(state));
        assertInstanceOf(Ruling.Stored.class, sync(events.accept(repo, 1))); // the repository's data is here
        assertInstanceOf(Ruling.Stored.class, sync(state));
        var view = node.life();
        assertEquals(
                2,
                view.archive()
                        .stateAuthors(new RepositoryAddress(StoreSamples.author(0), new Identifier(repo.identifier)))
                        .size());
    }

    // ---- what sync is told

    @Test
    void followersHearOfEveryChangeInOrder() {
        var heard = new ArrayList<Mutation>();
        var appeared = new ArrayList<Archive.Appearance>();
        var archive = node.life().archive();
        var end = archive.follow(archive.commitNumber(), new Archive.Follower() {
            @Override
            public void changed(List<Mutation> mutations, List<Archive.Appearance> some, long upTo, Runnable taken) {
                heard.addAll(mutations);
                appeared.addAll(some);
                taken.run();
            }

            @Override
            public void lost(long commitNumber) {
                throw new AssertionError("nobody is slow here");
            }
        });
        serve();
        var issue = events.issue(repo);
        sync(issue);
        var comment = events.comment(repo, issue, issue);
        sync(comment);
        sync(later(() -> events.deletion(comment)));
        world.run(Duration.ofSeconds(1));
        assertInstanceOf(Mutation.Announced.class, heard.get(0));
        assertEquals(List.of(relay.url()), ((Mutation.Announced) heard.get(0)).relays());
        assertInstanceOf(Mutation.StatesChanged.class, heard.get(1));
        assertEquals(
                List.of(
                        new Mutation.RootServed(
                                issue.id(),
                                issue.createdAt(),
                                List.of(RepositoryAddress.parse(repo.coordinate())
                                        .require())),
                        new Mutation.MemberServed(
                                comment.id(), comment.createdAt(), Optional.empty(), List.of(issue.id()), List.of()),
                        new Mutation.Left(comment.id())),
                heard.subList(2, 5));
        assertEquals(5, appeared.size());
        end.run();
        sync(events.issue(repo));
        world.run(Duration.ofSeconds(1));
        assertEquals(5, appeared.size());
    }

    @Test
    void scansComeInSlices() {
        serve();
        for (int count = 0; count < 5; count++) {
            sync(events.issue(repo));
        }
        var sizes = new ArrayList<Integer>();
        node.life().archive().scan(List.of(1621), 2, new Archive.Slices() {
            @Override
            public void slice(List<Mutation> found, Runnable taken) {
                sizes.add(found.size());
                taken.run();
            }

            @Override
            public void done() {
                sizes.add(-1);
            }

            @Override
            public void failed() {
                sizes.add(-2);
            }
        });
        world.run(Duration.ofSeconds(1));
        assertEquals(List.of(2, 2, 1, -1), sizes);
    }

    // ---- as a relay

    @Test
    void nodesServeEachOther() {
        serve();
        var port = world.network().connect("somebody");
        var asker = Asker.dial(port, node.url());
        world.run(Duration.ofSeconds(2));
        asker.request("h1", Filter.ALL);
        asker.request("l1", Filter.builder().limit(0).build());
        world.run(Duration.ofSeconds(2));
        assertEquals(2, asker.events("h1").size());
        var issue = events.issue(repo);
        node.submit(issue);
        node.submit(events.pullRequest(repo)); // it waits, and nobody hears of it
        world.run(Duration.ofSeconds(2));
        assertEquals(List.of(issue), asker.events("l1"));
        node.crash();
        world.run(Duration.ofSeconds(2));
        assertEquals(List.of("lost Broken"), asker.ends);
    }

    @Test
    void nodesOfTheSameSeedDoTheSame() {
        assertEquals(story(5), story(5));
        assertTrue(story(5) != story(6));
    }

    private static long story(long seed) {
        try (var other = new SimWorld(seed, NaiveCore::new)) {
            other.addNode("one.example.com");
            other.addNode("two.example.com");
            other.addRelay("r1.example.com", RelayModels.existing());
            other.addRelay("r2.example.com", RelayModels.strfry());
            other.start();
            var people = other.events(5);
            for (int count = 0; count < 2; count++) {
                var repo = people.repository();
                var places = new ArrayList<>(repo.relays);
                repo.servers.forEach(server -> places.add(other.nodes().stream()
                        .filter(node -> node.name().equals(server))
                        .findFirst()
                        .orElseThrow()
                        .url()));
                other.publish(people.announce(repo), places);
                for (int number = 0; number < 6; number++) {
                    var event = people.next(repo);
                    repo.servers.forEach(server -> other.push(event, server));
                    other.publish(event, places);
                    other.run(Duration.ofSeconds(20));
                }
            }
            other.run(Duration.ofMinutes(10));
            return other.time().traceHash();
        }
    }
}
