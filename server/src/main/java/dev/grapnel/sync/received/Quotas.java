package dev.grapnel.sync.received;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// How many new events of one kind each relay has brought in the last hour (R7.14a), by minutes. What is in the gate
/// counts as if it would be new; who would be one too many waits until that is known.
final class Quotas {
    private static final int MINUTES = 60;

    private final Scheduler loop;
    private final int max;
    /// By address, for a relay that is forgotten and met again has another ordinal. As text, which is comparable.
    private final Map<String, Window> windows = new HashMap<>();

    /// Of one relay.
    private static final class Window {
        private final int[] minutes = new int[MINUTES];
        private long minute;
        private int taken;
        private int inGate;

        Window(long minute) {
            this.minute = minute;
        }

        void advance(long now) {
            while (minute < now) {
                minute = taken == 0 ? now : minute + 1;
                int oldest = Math.floorMod(minute, MINUTES);
                taken -= minutes[oldest];
                minutes[oldest] = 0;
            }
        }

        void count() {
            taken++;
            minutes[Math.floorMod(minute, MINUTES)]++;
        }
    }

    /// What an event may do.
    enum Answer {
        GO,
        WAIT,
        OVER
    }

    Quotas(Scheduler loop, int max) {
        this.loop = loop;
        this.max = max;
    }

    /// Whether an event of a relay may go into the gate, or not before one of that relay has left.
    Answer ask(RemoteUrl relay) {
        var window = window(relay);
        if (window.taken >= max) {
            return Answer.OVER;
        }
        return window.taken + window.inGate >= max ? Answer.WAIT : Answer.GO;
    }

    /// An event goes into the gate.
    void enter(RemoteUrl relay) {
        window(relay).inGate++;
    }

    /// An event has left the gate.
    void leave(RemoteUrl relay, boolean isNew) {
        var window = window(relay);
        window.inGate--;
        if (isNew) {
            window.count();
        }
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

    /// Forgets relays that have brought nothing new for an hour.
    void tidy() {
        long now = minute();
        windows.values().removeIf(window -> {
            window.advance(now);
            return window.taken == 0 && window.inGate == 0;
        });
    }
}
