package dev.grapnel.sync.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.ScriptedArchive;
import dev.grapnel.sync.world.VirtualScheduler;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Whether a relay was asked for an event is found out before its signature is looked at, so it costs little
/// whatever it says (R1.21, sync 8.3).
final class TouchTest {
    private static final int NAMESAKES = 1_000;

    private final WantedIndex index = new WantedIndex(
            IndexLimits.DEFAULTS,
            new HeapTables(),
            new ScriptedArchive(new VirtualScheduler(Instant.EPOCH)),
            new Random(1));
    private int looks;
    private final Targets counted = counted();

    private Targets counted() {
        return (Targets) Proxy.newProxyInstance(
                Targets.class.getClassLoader(), new Class<?>[] {Targets.class}, (_, method, arguments) -> {
                    looks++;
                    return method.invoke(index, arguments);
                });
    }

    private void announceNamesakes() {
        var all = new ArrayList<Mutation>();
        for (int owner = 1; owner <= NAMESAKES; owner++) {
            all.add(Samples.announced(Samples.repo(owner, "x"), 1));
        }
        index.apply(all, new RecordedChanges());
    }

    private boolean isWantedOf(int relay, Event event) {
        looks = 0;
        return new Touch(index, counted, index.internRelay(Samples.url(relay))).by(event);
    }

    private static Event event(int tags, IntFunction<List<String>> tag) {
        return StoreSamples.event(
                1, 1111, 1_000, IntStream.range(0, tags).mapToObj(tag).toList(), "");
    }

    private static Event statesOf(String identifier, int tags) {
        return event(tags, author -> List.of("a", "30618:%064x:%s".formatted(author, identifier)));
    }

    @Test
    void whatIsNamedManyTimesIsLookedForOnce() {
        announceNamesakes();
        assertFalse(isWantedOf(2, statesOf("x", 200)));
        assertTrue(looks <= 2 * NAMESAKES, () -> looks + " looks");
    }

    @Test
    void theFirstThatIsWantedEndsTheSearch() {
        announceNamesakes();
        assertTrue(isWantedOf(1, statesOf("x", 200)));
        assertTrue(looks <= 10, () -> looks + " looks");
    }

    @Test
    void aRootBelowManyCommentsIsLookedForOnce() {
        var repository = Samples.repo(1, "a");
        index.apply(List.of(Samples.announced(repository, 1), Samples.root(1, repository)), new RecordedChanges());
        for (long comment = 100; comment < 300; comment++) {
            index.apply(List.of(Samples.member(comment, 1, 1)), new RecordedChanges());
        }
        var event = event(200, n -> List.of("e", Samples.id(100 + n).toString()));
        assertTrue(isWantedOf(1, event));
        assertFalse(isWantedOf(2, event));
        assertTrue(looks <= 210, () -> looks + " looks");
    }

    @Test
    void whatIsBehindTwoHundredReferencesIsLeftToTheGate() {
        announceNamesakes();
        assertFalse(isWantedOf(1, statesOf("unknown", 200)));
        assertTrue(isWantedOf(1, statesOf("unknown", 201)));
        assertEquals(0, looks);
    }
}
