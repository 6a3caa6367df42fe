package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.grapnel.git.refs.Refs;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A server to which deeds are done, and which must be what [TheoremCheck] says after each of them.
final class TheoremStage implements AutoCloseable {
    static final List<String> NAMES = List.of("Ann", "Bob", "Carol", "Dave", "Eve");

    private final MaintainerModel model;
    private final TheoremObjects objects;
    private final TheoremWorld world;
    private final List<TheoremDeed> deeds = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final Map<String, Made> byId = new TreeMap<>();
    private Map<RepositoryAddress, Refs> refs = Map.of();

    TheoremStage(MaintainerModel model, Path directory, TheoremObjects objects) throws IOException {
        this.model = model;
        this.objects = objects;
        this.world = new TheoremWorld(model, directory, objects);
    }

    TheoremWorld world() {
        return world;
    }

    /// What was done so far.
    List<TheoremDeed> deeds() {
        return List.copyOf(deeds);
    }

    /// The same in words.
    String story() {
        return String.join("\n", told);
    }

    /// What repositories had when everything was quiet last.
    Map<RepositoryAddress, Refs> refs() {
        return refs;
    }

    /// What was sent under an id.
    Made sent(String id) {
        var found = byId.get(id);
        if (found == null) {
            throw new AssertionError("nobody sent " + id);
        }
        return found;
    }

    /// Does something and looks at what became of it.
    void perform(TheoremDeed deed) throws IOException, InterruptedException {
        deeds.add(deed);
        switch (deed) {
            case TheoremDeed.Sends(var event, boolean isSynced) -> send(event, isSynced);
            case TheoremDeed.Pushes push -> push(push);
            case TheoremDeed.Passes(var time) -> pass(time);
            case TheoremDeed.Restarts(boolean isKill) -> restart(isKill);
        }
    }

    void check() throws IOException, InterruptedException {
        world.rest();
        var check = new TheoremCheck(world, objects, model, byId, refs);
        check.check();
        refs = check.refs();
    }

    private void send(Made event, boolean isSynced) {
        byId.put(event.id(), event);
        told.add((isSynced ? "syncs " : "sends ") + tell(event));
        told.add("  -> " + world.submit(event.event(), isSynced));
    }

    private String tell(Made event) {
        var text = event.toString();
        for (var id : objects.all()) {
            text = text.replace(id.toString(), objects.name(id));
        }
        for (int person = 0; person < GraspWorld.PEOPLE; person++) {
            text = text.replace(StoreSamples.author(person).toHex(), NAMES.get(person))
                    .replace(StoreSamples.author(person).toHex().substring(0, 8), NAMES.get(person));
        }
        return text;
    }

    private void push(TheoremDeed.Pushes push) throws IOException, InterruptedException {
        var line = push.refs().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + objects.name(entry.getValue()))
                .collect(Collectors.joining(" "));
        int owner = GraspWorld.people().indexOf(push.to().owner().toHex());
        told.add("pushes to " + NAMES.get(owner) + "/" + push.to().identifier() + ": " + line);
        var before = world.objects(push.to());
        world.setBroken(push.isBroken());
        var answer = world.push(push.to(), push.refs(), Map.of(), push.isThin()).orElse("404");
        told.add("  -> " + answer.lines().map(String::strip).collect(Collectors.joining(" | "))
                + (push.isBroken() ? " (nothing can be stored)" : ""));
        if (push.isBroken()) {
            world.setBroken(false);
            world.crash();
        } else if (!answer.contains("ok refs/")) {
            world.rest();
            assertEquals(
                    new TreeSet<>(before), new TreeSet<>(world.objects(push.to())), "objects after a refused push");
            for (var other : refs.keySet()) {
                assertEquals(refs.get(other), world.refs(other), () -> "refs of " + other + " after a refused push");
            }
        } else {
            assertFalse(answer.contains("ng refs/"), answer);
        }
    }

    private void pass(Duration time) {
        world.advance(time);
        world.sweep();
        if (time.compareTo(Duration.ofDays(1)) > 0) {
            world.cleanUp();
        }
        told.add("time passes: " + time);
    }

    private void restart(boolean isKill) throws IOException {
        told.add(isKill ? "kill, restart" : "restart");
        if (isKill) {
            world.crash();
        } else {
            world.restart();
        }
    }

    @Override
    public void close() throws IOException {
        world.close();
    }
}
