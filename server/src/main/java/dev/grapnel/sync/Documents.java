package dev.grapnel.sync;

import dev.grapnel.sync.world.InformationSource;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.OptionalLong;

/// When relays are asked what they say of themselves (R4.5): before the first attempt, then at most once a day, and
/// once more when they refuse what their limits should allow. Whoever could not be asked is asked again before a later
/// attempt, but not before each: of a relay that is down for long nothing is to be had.
final class Documents {
    private static final Duration AGE = Duration.ofHours(24);

    /// After it could not be asked, unless there was a connection since.
    private static final Duration REST = Duration.ofHours(1);

    private final InformationSource source;
    private final Scheduler loop;

    Documents(InformationSource source, Scheduler loop) {
        this.source = source;
        this.loop = loop;
    }

    /// Asks unless the last answer, or the last attempt to have one, is young enough.
    ///
    /// @param then run afterwards, whatever the answer
    void askBefore(RelayEntry entry, Runnable then) {
        if (isWithin(AGE, entry.informedAt()) || isWithin(REST, entry.notInformedAt())) {
            then.run();
        } else {
            ask(entry, then);
        }
    }

    private boolean isWithin(Duration time, OptionalLong since) {
        return since.isPresent() && loop.nanos() - since.getAsLong() < time.toNanos();
    }

    /// Asks once more; what is said holds on the present connection, too.
    void askAgain(RelayEntry entry) {
        if (entry.mayAskAgain(loop.nanos(), AGE)) {
            ask(entry, () -> entry.link().inform(entry.information()));
        }
    }

    private void ask(RelayEntry entry, Runnable then) {
        source.ask(entry.url(), entry.isConfigured(), answer -> {
            answer.ifPresentOrElse(
                    said -> entry.setInformation(said, loop.nanos()), () -> entry.setNotInformed(loop.nanos()));
            then.run();
        });
    }
}
