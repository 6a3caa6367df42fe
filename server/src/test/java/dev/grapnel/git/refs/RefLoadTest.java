package dev.grapnel.git.refs;

import static dev.grapnel.git.refs.RefFixture.branch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many refs, and many who change them.
final class RefLoadTest {
    private static final Peeler NO_TAGS = _ -> Optional.empty();

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {10_000, 100_000})
    void manyRefsAreNoBurden(int count) throws IOException {
        var fixture = new RefFixture(directory.resolve("it.git"));
        var store = fixture.store();
        var changes = new ArrayList<RefChange>();
        for (int i = 0; i < count; i++) {
            changes.add(new RefChange(branch("feature/" + i), Oid.ZERO, i % 2 == 0 ? fixture.one : fixture.two));
        }
        assertInstanceOf(RefOutcome.Done.class, store.apply(changes, Optional.empty(), NO_TAGS));
        assertEquals(count, store.current().values().size());
        assertSame(store.current(), store.current());
        var moved = List.of(new RefChange(branch("feature/7"), fixture.two, fixture.three));
        assertInstanceOf(RefOutcome.Done.class, store.apply(moved, Optional.empty(), NO_TAGS));
        fixture.assertAgreed(store);
    }

    /// A ref counts: each step goes from one id to the next, and only whoever names the right one succeeds.
    @Test
    void everyChangeIsMadeExactlyOnceInOneOrder() throws Exception {
        var fixture = new RefFixture(directory.resolve("it.git"));
        var store = fixture.store();
        int threads = 4;
        int each = 50;
        var done = new AtomicBoolean();
        try (var pool = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("counting-", 0).factory())) {
            var reader = pool.submit(() -> watch(store, done));
            var counting = new ArrayList<Future<Integer>>();
            for (int i = 0; i < threads; i++) {
                var own = branch("own-" + i);
                Callable<Integer> counter = () -> count(store, own, each);
                counting.add(pool.submit(counter));
            }
            for (var counter : counting) {
                assertTrue(counter.get() >= each);
            }
            done.set(true);
            assertTrue(reader.get() > 0);
        }
        var now = store.current();
        assertEquals(number(threads * each), now.target(branch("main")));
        for (int i = 0; i < threads; i++) {
            assertEquals(number(each), now.target(branch("own-" + i)));
        }
    }

    private static int count(RefStore store, RefName own, int times) throws IOException {
        int attempts = 0;
        for (int done = 0; done < times; attempts++) {
            var shared = store.current().target(branch("main"));
            var changes = List.of(
                    new RefChange(branch("main"), shared, next(shared)),
                    new RefChange(own, number(done), number(done + 1)));
            switch (store.apply(changes, Optional.empty(), NO_TAGS)) {
                case RefOutcome.Done(var now) -> {
                    assertEquals(next(shared), now.target(branch("main")));
                    done++;
                }
                case RefOutcome.Moved(var name, var actual) -> {
                    assertEquals(branch("main"), name);
                    assertTrue(actual.c() > shared.c());
                }
                case RefOutcome.Clash clash -> throw new AssertionError(clash);
                case RefOutcome.Unwritable unwritable -> throw new AssertionError(unwritable);
            }
        }
        return attempts;
    }

    /// What is read never goes back, and the parts always add up to the whole.
    private static int watch(RefStore store, AtomicBoolean done) throws IOException {
        int looks = 0;
        int last = 0;
        while (!done.get()) {
            var refs = store.current();
            int sum = refs.values().entrySet().stream()
                    .filter(ref -> ref.getKey().text().startsWith("refs/heads/own-"))
                    .mapToInt(ref -> ref.getValue().target().c())
                    .sum();
            int shared = refs.target(branch("main")).c();
            assertEquals(sum, shared);
            assertTrue(shared >= last);
            last = shared;
            looks++;
        }
        return looks;
    }

    private static Oid number(int number) {
        return new Oid(0, 0, number);
    }

    private static Oid next(Oid id) {
        return number(id.c() + 1);
    }
}
