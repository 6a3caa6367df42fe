package dev.grapnel.sync;

import dev.grapnel.sync.link.LinkConfig;
import dev.grapnel.sync.link.LinkState;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.random.RandomGenerator;

/// When each relay is compared in full once more (R4.12): about a day after the last time, a few at once.
final class DailyTurns {
    private static final int AT_ONCE = 8;
    private static final Duration AFTERWARDS = Duration.ofHours(1);
    /// Who takes longer goes on, and keeps nobody waiting: eight who never end would be the last ones.
    private static final Duration TURN_MAX = Duration.ofHours(1);

    private final Scheduler loop;
    private final RandomGenerator chance;
    private final LinkConfig config;
    private final Queue<RelayEntry> waiting = new ArrayDeque<>();
    private final Map<RelayEntry, Long> running = new LinkedHashMap<>();
    private long turns;

    DailyTurns(Scheduler loop, RandomGenerator chance, LinkConfig config) {
        this.loop = loop;
        this.chance = chance;
        this.config = config;
    }

    /// A relay has reached a state.
    void changed(RelayEntry entry, LinkState state) {
        switch (state) {
            case CONNECTED, WITH_FAILURES -> complete(entry);
            case DISCONNECTED -> gone(entry);
            case CONNECTING, SYNCING, DISCONNECTING -> {
                // nothing is due
            }
        }
    }

    /// A full sync or a catch-up is complete: the clock starts, or goes on.
    private void complete(RelayEntry entry) {
        running.remove(entry);
        if (entry.isDailyDue()) {
            entry.setDailyDue(false);
            arm(entry, AFTERWARDS);
        } else if (entry.dailyAt().isEmpty() && entry.link().completedAt().isPresent()) {
            long since = loop.nanos() - entry.link().completedAt().getAsLong();
            var wait = interval().minusNanos(since);
            arm(entry, wait.isNegative() ? Duration.ofSeconds(1) : wait);
        }
        next();
    }

    private Duration interval() {
        long least = config.dailyMin().toNanos();
        long span = Math.max(1, config.dailyMax().toNanos() - least);
        return Duration.ofNanos(least + chance.nextLong(span));
    }

    /// Compares a relay in full within a time, because its clock or ours is doubtful, or the operator says so.
    void soon(RelayEntry entry, Duration within) {
        arm(entry, Duration.ofNanos(1 + chance.nextLong(Math.max(1, within.toNanos()))));
    }

    /// What is due earlier stays: somebody wants it by then.
    private void arm(RelayEntry entry, Duration wait) {
        long at = loop.nanos() + wait.toNanos();
        if (entry.dailyAt().isEmpty() || at < entry.dailyAt().getAsLong()) {
            entry.setDaily(at, loop.after(wait, () -> due(entry)));
        }
    }

    private void due(RelayEntry entry) {
        entry.clearDaily();
        if (!entry.link().isUp()) {
            return; // its next connection compares everything, or starts the clock again
        }
        if (!waiting.contains(entry)) {
            waiting.add(entry);
        }
        next();
    }

    private void next() {
        while (running.size() < AT_ONCE && !waiting.isEmpty()) {
            var entry = waiting.remove();
            if (entry.link().isUp()) {
                begin(entry);
            }
        }
    }

    private void begin(RelayEntry entry) {
        var before = Optional.ofNullable(running.get(entry));
        long turn = ++turns;
        running.put(entry, turn);
        entry.clearDaily();
        if (entry.link().beginDaily()) {
            loop.after(TURN_MAX, () -> takeBack(entry, turn));
        } else {
            running.remove(entry);
            before.ifPresent(old -> running.put(entry, old)); // its turn goes on, and keeps its place
            entry.setDailyDue(true);
        }
    }

    private void takeBack(RelayEntry entry, long turn) {
        if (running.remove(entry, turn)) {
            next();
        }
    }

    private void gone(RelayEntry entry) {
        running.remove(entry);
        waiting.remove(entry);
        entry.setDailyDue(false);
        entry.clearDaily();
        next();
    }
}
