package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// For tests that publish and push inside one process.
abstract class TheoremWorldTest {
    static final int ANN = 0;
    static final int BOB = 1;
    static final int CAROL = 2;
    static final String MAIN = "refs/heads/main";
    static final String HELD = "true purgatory: won't be served until git data arrives";
    static final String SERVED = "true ";

    @TempDir
    private Path directory;

    TheoremObjects objects;
    TheoremWorld world;

    @BeforeEach
    final void start() throws IOException {
        objects = new TheoremObjects();
        world = new TheoremWorld(MaintainerModel.CONFIRMED, directory, objects);
    }

    @AfterEach
    final void stop() throws IOException {
        world.close();
        objects.close();
    }

    // ---- what people do

    final long second() {
        return world.now() / 1000;
    }

    final Event announcement(int author, String identifier, int... maintainers) {
        var key = StoreSamples.author(author).toHex();
        return StoreSamples.event(
                author,
                Kinds.ANNOUNCEMENT,
                second(),
                List.of(
                        List.of("d", identifier),
                        List.of("clone", GraspWorld.cloneUrl(key, identifier)),
                        List.of("relays", "wss://" + GraspWorld.DOMAIN),
                        Stream.concat(
                                        Stream.of("maintainers"),
                                        IntStream.of(maintainers)
                                                .mapToObj(person -> StoreSamples.author(person)
                                                        .toHex()))
                                .toList()),
                "");
    }

    final Event state(int author, String identifier, long later, List<List<String>> refs) {
        return StoreSamples.event(
                author,
                Kinds.STATE,
                second() + later,
                Stream.concat(Stream.of(List.of("d", identifier)), refs.stream())
                        .toList(),
                "");
    }

    final Event state(int author, String identifier, long later, int commit) {
        return state(
                author, identifier, later, List.of(List.of(MAIN, commit(commit).toString())));
    }

    final Oid commit(int number) {
        return objects.commits().get(number);
    }

    final Event pullRequest(int author, int commit, String... coordinates) {
        return StoreSamples.event(
                author,
                Kinds.PULL_REQUEST,
                second(),
                Stream.concat(
                                Stream.of(coordinates).map(coordinate -> List.of("a", coordinate)),
                                Stream.of(List.of("c", commit(commit).toString())))
                        .toList(),
                "");
    }

    static String coordinate(int owner, String identifier) {
        return "30617:" + StoreSamples.author(owner).toHex() + ":" + identifier;
    }

    final void send(String answer, Event event) {
        assertEquals(answer, world.submit(event, false));
    }

    final String push(int owner, String identifier, Map<String, Oid> wanted) throws IOException {
        return world.push(TheoremWorld.address(owner, identifier), wanted, Map.of(), false)
                .orElseThrow();
    }

    final void pushMain(int owner, String identifier, int commit) throws IOException {
        var answer = push(owner, identifier, Map.of(MAIN, commit(commit)));
        assertTrue(answer.contains("ok " + MAIN), answer);
    }

    final Map<String, Oid> refs(int owner, String identifier) throws IOException {
        var refs = new TreeMap<String, Oid>();
        world.shownRefs(TheoremWorld.address(owner, identifier))
                .values()
                .forEach((name, value) -> refs.put(name.text(), value.target()));
        return refs;
    }

    final boolean isServed(Event event) {
        return world.served().contains(event);
    }

    /// A repository that is served with one branch.
    final void serve(int owner, String identifier, int commit) throws IOException {
        send(HELD, announcement(owner, identifier));
        send(HELD, state(owner, identifier, 0, commit));
        pushMain(owner, identifier, commit);
    }
}
