package dev.grapnel.sync.link;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.OptionalLong;

/// How far back announcements are read (R4.13): a long walk through all of them is made once a week only, where nothing
/// better is understood.
final class AnnouncementWalks {
    private static final int LONG = 5_000;
    private static final Duration WHOLE = Duration.ofDays(7);

    private final Scheduler loop;
    private long walked;
    private OptionalLong wholeAt = OptionalLong.empty();

    AnnouncementWalks(Scheduler loop) {
        this.loop = loop;
    }

    /// From when on they are to be read; empty is all.
    OptionalLong since(boolean isDaily, boolean compares) {
        long now = loop.wall().getEpochSecond();
        boolean isRecent = wholeAt.isPresent() && now - wholeAt.getAsLong() < WHOLE.toSeconds();
        if (isDaily && !compares && walked > LONG && isRecent) {
            return OptionalLong.of(now - WHOLE.toSeconds());
        }
        wholeAt = OptionalLong.of(now);
        return OptionalLong.empty();
    }

    /// So many came.
    void ended(long count, boolean isWhole) {
        if (isWhole) {
            walked = count;
        }
    }
}
