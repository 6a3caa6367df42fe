package dev.grapnel.command;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// What signals do to a server.
final class Signals {
    /// Ends the service: told to end, Ctrl-C, the terminal was closed.
    private static final List<String> STOPPING = List.of("TERM", "INT", "HUP");

    /// Nothing of the JVM uses this one (it uses SIGUSR2).
    private static final String LEVEL = "USR1";

    /// The exit code when a second signal ends what the first did not.
    static final int HALTED = 130;

    private Signals() {}

    /// From now on the first signal to stop runs something, once, on a thread of its own; the next one ends the
    /// process at once, whatever it is doing.
    static void stopWith(Runnable stop) {
        var isStopping = new AtomicBoolean();
        Runnable action = () -> {
            if (isStopping.compareAndSet(false, true)) {
                Thread.ofPlatform().name("stop").start(stop);
            } else {
                Runtime.getRuntime().halt(HALTED);
            }
        };
        STOPPING.forEach(name -> ProcessSignals.handle(name, action));
    }

    /// From now on SIGUSR1 runs something, each time.
    ///
    /// @return whether it does; if not, the system has no such signal
    static boolean changeLevelWith(Runnable step) {
        return ProcessSignals.handle(LEVEL, step);
    }
}
