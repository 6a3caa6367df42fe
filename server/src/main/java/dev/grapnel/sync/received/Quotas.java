package dev.grapnel.sync.received;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/// How many announcements each relay has put into purgatory in the last hour (R7.14a), by minutes. What is in the gate
/// counts as if it would be held; who would be one too many waits until that is known.
final class Quotas {
    private static final int MINUTES = 60;

    private final Scheduler loop;
    private final int max;
    /// By address, for a relay that is forgotten and met again has another ordinal. As text, which is comparable.
    private final Map<String, Window> windows = new HashMap<>();

    /// Of one relay.
    private static final class Window {
        private final int[] minutes = new int[MINUTES];
        private final Queue<Passage> waiting = new ArrayDeque<>();
        private long minute;
        private int held;
        private int inGate;

        Window(long minute) {
            this.minute = minute;
        }

        void advance(long now) {
            while (minute < now) {
                minute = held == 0 ? now : minute + 1;
                int oldest = Math.floorMod(minute, MINUTES);
                held -= minutes[oldest];
                minutes[oldest] = 0;
            }
        }

        void count() {
            held++;
            minutes[Math.floorMod(minute, MINUTES)]++;
        }
    }

    /// What an announcement may do.
    enum Answer {
        GO,
        WAIT,
        OVER
    }

    Quotas(Scheduler loop, int max) {
        this.loop = loop;
        this.max = max;
    }

    /// Lets an announcement into the gate, or keeps it until one of its relay has left.
    Answer enter(Passage passage) {
        var window = window(passage.first().url());
        if (window.held >= max) {
            return Answer.OVER;
        }
        if (window.held + window.inGate >= max) {
            window.waiting.add(passage);
            return Answer.WAIT;
        }
        window.inGate++;
        return Answer.GO;
    }

    /// An announcement has left the gate.
    void leave(RemoteUrl relay, boolean isHeld) {
        var window = window(relay);
        window.inGate--;
        if (isHeld) {
            window.count();
        }
    }

    /// One that waited and need not any more: it must [#enter] again.
    Optional<Passage> poll(RemoteUrl relay) {
        var window = window(relay);
        boolean isKnown = window.held >= max || window.held + window.inGate < max;
        return isKnown ? Optional.ofNullable(window.waiting.poll()) : Optional.empty();
    }

    private Window window(RemoteUrl relay) {
        long now = minute();
        var window = windows.computeIfAbsent(relay.text(), _ -> new Window(now));
        window.advance(now);
        return window;
    }

    private long minute() {
        return Duration.ofNanos(loop.nanos()).toMinutes();
    }

    /// Forgets relays that have put nothing into purgatory for an hour.
    void tidy() {
        long now = minute();
        windows.values().removeIf(window -> {
            window.advance(now);
            return window.held == 0 && window.inGate == 0 && window.waiting.isEmpty();
        });
    }
}
