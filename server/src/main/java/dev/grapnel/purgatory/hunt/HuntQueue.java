package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// When which identifier is hunted next (purgatory 1.6 and 6.1). Moments are milliseconds of a timeline and come with
/// each question: nothing here waits or looks at a clock. Every operation takes logarithmic time; one lock.
final class HuntQueue {
    /// A hunt moved forward by a copy keeps so much distance from the last attempt (P-220).
    private static final long REFRESH_DISTANCE_MILLIS = 60_000;

    private final RandomGenerator chance;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Identifier, Entry> entries = new HashMap<>();
    private final TreeSet<Entry> waiting = new TreeSet<>(
            Comparator.<Entry>comparingLong(entry -> entry.nextAttempt).thenComparing(entry -> entry.identifier));
    private final TreeSet<Entry> running = new TreeSet<>(
            Comparator.<Entry>comparingLong(entry -> entry.startedAt).thenComparing(entry -> entry.identifier));
    private long nextNumber;
    private volatile HuntConfig config;

    private static final class Entry {
        private final Identifier identifier;
        private long nextAttempt;
        private int attempts;
        private long generation;
        private OptionalLong requestedAt = OptionalLong.empty();
        private long startedAt = Long.MIN_VALUE / 2; // far enough back for any distance
        private OptionalLong refreshedAt = OptionalLong.empty();
        private OptionalLong repairSince = OptionalLong.empty();
        private @Nullable Start run;

        Entry(Identifier identifier) {
            this.identifier = identifier;
        }
    }

    /// An attempt that begins.
    ///
    /// @param number differs from that of every other attempt
    record Start(Identifier identifier, long generation, long at, long number) {}

    /// What an attempt left.
    enum Left {
        /// Nothing is pending.
        NOTHING,
        /// Events wait.
        EVENTS,
        /// Only served data lacks objects (P-608).
        REPAIR
    }

    /// What comes after an attempt.
    sealed interface Next {
        /// The identifier has nothing to hunt for any more.
        record Done() implements Next {}

        /// It comes again.
        ///
        /// @param attempts attempts in vain since the last new event
        record Again(int attempts, Duration delay) implements Next {}

        /// Somebody else has ended this attempt already.
        record Gone() implements Next {}
    }

    /// How an identifier stands.
    record Picture(boolean isRunning, int attempts, long generation, long nextAttempt) {}

    HuntQueue(HuntConfig config, RandomGenerator chance) {
        this.config = config;
        this.chance = chance;
    }

    void change(HuntConfig other) {
        config = other;
    }

    /// Something new is to be hunted for (P-601).
    ///
    /// @return the identifier's generation from now on
    long notice(Identifier identifier, Duration delay, long now) {
        return locked(() -> {
            long wish = now + delay.toMillis();
            var known = entries.get(identifier);
            var entry = known == null ? new Entry(identifier) : known;
            entry.generation++;
            entry.attempts = 0;
            entry.repairSince = OptionalLong.empty();
            if (entry.run != null) {
                entry.requestedAt = OptionalLong.of(Math.min(wish, entry.requestedAt.orElse(wish)));
            } else {
                move(entry, known == null ? wish : Math.min(entry.nextAttempt, wish));
            }
            entries.put(identifier, entry);
            return entry.generation;
        });
    }

    /// Whether a copy that is met elsewhere could change something.
    boolean isRefreshable(Identifier identifier, long now) {
        return locked(() -> refreshed(entries.get(identifier), now).isPresent());
    }

    /// A copy was met elsewhere (P-220).
    ///
    /// @return whether the next attempt comes earlier now
    boolean refresh(Identifier identifier, long now) {
        return locked(() -> {
            var entry = entries.get(identifier);
            var earliest = refreshed(entry, now);
            if (entry == null || earliest.isEmpty()) {
                return false;
            }
            move(entry, earliest.getAsLong());
            entry.refreshedAt = OptionalLong.of(now);
            return true;
        });
    }

    /// When the next attempt would be after a copy; empty if that changes nothing.
    private OptionalLong refreshed(@Nullable Entry entry, long now) {
        if (entry == null || entry.run != null || isRecent(entry.refreshedAt, now)) {
            return OptionalLong.empty();
        }
        long earliest = Math.max(now + config.delays().synced().toMillis(), entry.startedAt + REFRESH_DISTANCE_MILLIS);
        return earliest < entry.nextAttempt ? OptionalLong.of(earliest) : OptionalLong.empty();
    }

    private boolean isRecent(OptionalLong moment, long now) {
        return moment.isPresent()
                && now - moment.getAsLong() < config.refreshEvery().toMillis();
    }

    /// Begins all that is due (P-603).
    List<Start> startDue(long now) {
        return locked(() -> {
            var starts = new ArrayList<Start>();
            while (!waiting.isEmpty() && waiting.first().nextAttempt <= now) {
                var entry = waiting.pollFirst();
                var start = new Start(entry.identifier, entry.generation, now, nextNumber++);
                entry.startedAt = now;
                entry.run = start;
                running.add(entry);
                starts.add(start);
            }
            return starts;
        });
    }

    /// Notes what an attempt found when it began: how long repairs have lasted counts from then (P-608).
    void note(Start start, Left found) {
        locked(() -> {
            var entry = entries.get(start.identifier());
            if (entry != null && start.equals(entry.run)) {
                entry.repairSince = found == Left.REPAIR
                        ? OptionalLong.of(entry.repairSince.orElse(start.at()))
                        : OptionalLong.empty();
            }
            return true;
        });
    }

    /// Ends an attempt (P-604). What it left was looked at before; whoever came since has another generation.
    Next end(Start start, Left left, long now) {
        return locked(() -> {
            var entry = entries.get(start.identifier());
            if (entry == null || !start.equals(entry.run)) {
                return new Next.Gone();
            }
            running.remove(entry);
            entry.run = null;
            if (entry.generation != start.generation()) {
                entry.attempts = 0;
                long next = Math.max(now, entry.requestedAt.orElse(now));
                entry.requestedAt = OptionalLong.empty();
                move(entry, next);
                return new Next.Again(0, Duration.ofMillis(next - now));
            }
            if (left == Left.NOTHING) {
                entries.remove(entry.identifier);
                return new Next.Done();
            }
            entry.attempts++;
            var delay = delay(entry, left, now);
            move(entry, now + delay.toMillis());
            return new Next.Again(entry.attempts, delay);
        });
    }

    private Duration delay(Entry entry, Left left, long now) {
        boolean isLongRepair = left == Left.REPAIR
                && entry.repairSince.isPresent()
                && now - entry.repairSince.getAsLong() >= config.expiry().toMillis();
        return isLongRepair
                ? jittered(config.dormantEvery(), chance)
                : config.delays().backoff(entry.attempts);
    }

    /// Less a random 0 to 10 %.
    static Duration jittered(Duration whole, RandomGenerator chance) {
        return whole.minusMillis(chance.nextLong((whole.toMillis() / 10) + 1));
    }

    /// Forgets an identifier that has nothing pending, unless somebody came since that was looked at.
    boolean forget(Identifier identifier, long generation) {
        return locked(() -> {
            var entry = entries.get(identifier);
            boolean isSame = entry != null && entry.run == null && entry.generation == generation;
            if (isSame) {
                waiting.remove(entry);
                entries.remove(identifier);
            }
            return isSame;
        });
    }

    /// Attempts that have run too long (P-606).
    List<Start> startedBefore(long moment) {
        return locked(() -> {
            var late = new ArrayList<Start>();
            for (var entry : running) {
                if (entry.startedAt > moment || entry.run == null) {
                    break;
                }
                late.add(entry.run);
            }
            return late;
        });
    }

    /// Whether something came after an attempt began.
    boolean isOutrun(Start start) {
        return locked(() -> {
            var entry = entries.get(start.identifier());
            return entry == null || entry.generation != start.generation();
        });
    }

    OptionalLong generation(Identifier identifier) {
        return locked(() -> {
            var entry = entries.get(identifier);
            return entry == null ? OptionalLong.empty() : OptionalLong.of(entry.generation);
        });
    }

    Optional<Picture> picture(Identifier identifier) {
        return locked(() -> Optional.ofNullable(entries.get(identifier)).map(HuntQueue::picture));
    }

    /// Those that run, then those that come next.
    List<Identifier> first(int most) {
        return locked(() -> {
            var all = new ArrayList<Identifier>();
            running.stream().limit(most).forEach(entry -> all.add(entry.identifier));
            waiting.stream().limit(Math.max(0, most - all.size())).forEach(entry -> all.add(entry.identifier));
            return all;
        });
    }

    int size() {
        return locked(entries::size);
    }

    int runningCount() {
        return locked(running::size);
    }

    private static Picture picture(Entry entry) {
        return new Picture(entry.run != null, entry.attempts, entry.generation, entry.nextAttempt);
    }

    private void move(Entry entry, long nextAttempt) {
        waiting.remove(entry);
        entry.nextAttempt = nextAttempt;
        waiting.add(entry);
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
