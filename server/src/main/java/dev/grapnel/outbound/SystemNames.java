package dev.grapnel.outbound;

import dev.grapnel.nostr.url.Host;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// Asks the resolver of this machine.
///
/// It says the same of a name that does not exist and of its own failure, and texts are no evidence (P-670). So
/// a name counts as not existing only if another one was found within the last minute (sync R6.8): then the
/// resolver works. A look-up blocks the thread below a virtual one, hence threads of its own, in a number that a
/// resolver which does not answer cannot make grow.
public final class SystemNames implements Names, AutoCloseable {
    /// Asks the resolver.
    @FunctionalInterface
    public interface Resolver {
        /// All addresses of a name.
        ///
        /// @throws UnknownHostException if there is no answer, whatever the reason
        InetAddress[] resolve(String name) throws UnknownHostException;
    }

    /// A name that was found, and when.
    private record Sighting(Host name, long nanos) {}

    private static final int THREADS_MAX = 32;
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final long BELIEVED_NANOS = Duration.ofSeconds(60).toNanos();

    private final Resolver resolver;
    private final Executor threads;
    private final Runnable close;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    /// The newest, and the newest of another name.
    private Optional<Sighting> last = Optional.empty();

    private Optional<Sighting> lastOfAnother = Optional.empty();

    SystemNames(Resolver resolver, Executor threads, Runnable close, LongSupplier nanoTime) {
        this.resolver = resolver;
        this.threads = threads;
        this.close = close;
        this.nanoTime = nanoTime;
    }

    /// The resolver of this machine.
    ///
    /// @param nanoTime a clock that only runs forward
    public static SystemNames open(LongSupplier nanoTime) {
        var threads = new ThreadPoolExecutor(
                0,
                THREADS_MAX,
                IDLE.toMillis(),
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().name("lookup-", 0).daemon().factory());
        return new SystemNames(InetAddress::getAllByName, threads, threads::shutdownNow, nanoTime);
    }

    @Override
    public CompletableFuture<Lookup> lookUp(Host name) {
        try {
            return CompletableFuture.supplyAsync(() -> look(name), threads);
        } catch (RejectedExecutionException _) {
            // as many as may wait for the resolver do so already
            return CompletableFuture.completedFuture(new Lookup.Failed());
        }
    }

    private Lookup look(Host name) {
        try {
            var found = List.of(resolver.resolve(name.text()));
            if (!found.stream().allMatch(InetAddress::isLoopbackAddress)) {
                remember(name); // names of this machine are known without any server of names
            }
            return found.isEmpty() ? new Lookup.Failed() : new Lookup.Found(found);
        } catch (UnknownHostException _) {
            return foundAnotherThan(name) ? new Lookup.NoSuchName() : new Lookup.Failed();
        } catch (RuntimeException _) {
            return new Lookup.Failed(); // resolvers can be plugged in, and the caller needs an answer
        }
    }

    private void remember(Host name) {
        lock.lock();
        try {
            if (last.isPresent() && !last.get().name().equals(name)) {
                lastOfAnother = last;
            }
            last = Optional.of(new Sighting(name, nanoTime.getAsLong()));
        } finally {
            lock.unlock();
        }
    }

    private boolean foundAnotherThan(Host name) {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            return last.filter(seen -> !seen.name().equals(name))
                    .or(() -> lastOfAnother)
                    .filter(seen -> now - seen.nanos() <= BELIEVED_NANOS)
                    .isPresent();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        close.run();
    }
}
