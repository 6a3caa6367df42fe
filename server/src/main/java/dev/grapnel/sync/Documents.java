package dev.grapnel.sync;

import dev.grapnel.sync.world.InformationSource;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;

/// When relays are asked what they say of themselves (R4.5): before the first attempt, then at most once a day, and
/// once more when they refuse what their limits should allow.
final class Documents {
    private static final Duration AGE = Duration.ofHours(24);

    private final InformationSource source;
    private final Scheduler loop;

    Documents(InformationSource source, Scheduler loop) {
        this.source = source;
        this.loop = loop;
    }

    /// Asks unless the last answer is young enough.
    ///
    /// @param then run afterwards, whatever the answer
    void askBefore(RelayEntry entry, Runnable then) {
        var informedAt = entry.informedAt();
        if (informedAt.isPresent() && loop.nanos() - informedAt.getAsLong() < AGE.toNanos()) {
            then.run();
        } else {
            ask(entry, then);
        }
    }

    /// Asks once more; what is said holds on the present connection, too.
    void askAgain(RelayEntry entry) {
        if (entry.mayAskAgain(loop.nanos(), AGE)) {
            ask(entry, () -> entry.link().inform(entry.information()));
        }
    }

    private void ask(RelayEntry entry, Runnable then) {
        source.ask(entry.url(), entry.isConfigured(), answer -> {
            answer.ifPresent(said -> entry.setInformation(said, loop.nanos()));
            then.run();
        });
    }
}
