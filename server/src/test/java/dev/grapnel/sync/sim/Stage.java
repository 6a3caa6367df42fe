package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.Failure;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import dev.grapnel.sync.sim.RelayRecord.Request;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// A small world for a scene: one node, one relay of some make, Ann and others, and a repository of Ann's at both.
final class Stage implements AutoCloseable {
    static final int ANN = 0;
    static final int BOB = 1;

    final SimWorld world;
    final SimNode node;
    final SimRelay relay;
    final SimEvents people;
    final SimEvents.Repo repo;

    Stage(RelayModel model) {
        this(model, JoinedCore.usual());
    }

    Stage(RelayModel model, CoreFactory cores) {
        this.world = new SimWorld(17, cores);
        this.node = world.addNode("one.example.com");
        this.relay = world.addRelay("relay.example.com", model);
        this.people = world.events(4);
        this.repo = people.repository(ANN, List.of(node.name()), List.of(relay.url()));
    }

    /// The repository is served, and its relay followed.
    Stage open() {
        world.start();
        serve(repo);
        return this;
    }

    /// A repository is announced and has a state, here and at the relay.
    void serve(SimEvents.Repo other) {
        var state = people.state(other, other.owner);
        world.push(state, node.name());
        world.publish(people.announce(other), List.of(node.url(), relay.url()));
        world.publish(state, List.of(node.url(), relay.url()));
    }

    /// One more repository like it.
    SimEvents.Repo addRepo() {
        var other = people.repository(ANN, List.of(node.name()), List.of(relay.url()));
        serve(other);
        return other;
    }

    /// So many issues that nobody has published.
    List<Event> issues(int count) {
        return IntStream.range(0, count).mapToObj(_ -> people.issue(repo)).toList();
    }

    /// Somebody publishes at the relay.
    Event publish(Event event) {
        world.publish(event, List.of(relay.url()));
        return event;
    }

    /// The relay gets an event that it tells nobody of.
    Event put(Event event) {
        world.publish(event, List.of());
        require(relay.put(event), "the relay took it");
        return event;
    }

    Stage run(Duration howLong) {
        world.run(howLong);
        return this;
    }

    /// Runs second by second until something is so, for an hour at most.
    void runUntil(BooleanSupplier isSo) {
        for (int seconds = 0; seconds < 3_600 && !isSo.getAsBoolean(); seconds++) {
            run(Duration.ofSeconds(1));
        }
        require(isSo.getAsBoolean(), "what is waited for happens within an hour");
    }

    void stopRelay() {
        world.network().stop(relay.url());
    }

    void startRelay() {
        world.network().start(relay.url());
    }

    boolean isLinked() {
        return !world.network().connections(relay.url()).isEmpty();
    }

    /// Breaks the link.
    void cut() {
        world.network().connections(relay.url()).forEach(link -> link.cut(new Failure.Broken()));
    }

    void has(Event event) {
        require(node.serves(event.id()), "kind " + event.kind() + " is here");
    }

    void hasNot(Event event) {
        require(!node.serves(event.id()), "kind " + event.kind() + " is not here yet");
    }

    /// Everything that was ever published.
    void hasAll(List<Event> events) {
        long missing = events.stream().filter(event -> !node.serves(event.id())).count();
        require(missing == 0, missing + " of " + events.size() + " are missing");
    }

    List<Request> asked(Purpose... purposes) {
        return relay.record().requests(request -> Set.of(purposes).contains(request.purpose()));
    }

    /// What must be so in a scene.
    static void require(boolean isSo, String what) {
        if (!isSo) {
            throw new AssertionError("it is not so that " + what);
        }
    }

    @Override
    public void close() {
        world.close();
    }
}
