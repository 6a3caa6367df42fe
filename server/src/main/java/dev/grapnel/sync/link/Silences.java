package dev.grapnel.sync.link;

import dev.grapnel.sync.health.Learned.Trait;
import java.time.Duration;

/// What follows when a relay does not end its answer (R4.17).
final class Silences {
    private static final int QUIRK_FROM = 3;

    private final HistoricWork work;
    private final Link link;
    private int silences;
    private boolean hasDelivered;
    private boolean hasEverEnded;

    Silences(HistoricWork work, Link link) {
        this.work = work;
        this.link = link;
    }

    /// An EOSE came.
    void endCame() {
        hasEverEnded = true;
        silences = 0;
    }

    /// Events came and then nothing.
    void paused(Task task) {
        hasDelivered = true;
        count(task);
    }

    /// Nothing came at all: twice it is tried again, then the answer is taken to be empty, if the relay answers others.
    void silent(Task task) {
        count(task);
        int times = task.countSilence();
        if (times == 1) {
            work.later(task, Duration.ofSeconds(60));
        } else if (times == 2) {
            work.later(task, Duration.ofMinutes(10));
        } else if (work.hasEnded() || work.bearing().neverEnds()) {
            task.batch().doubt();
            task.assumeEmpty();
        } else {
            link.hangUp("it answers no request");
        }
    }

    /// Nothing came, and whoever asked does not wait for more.
    void count(Task task) {
        work.afterClose(isClosed -> work.note(new LinkNote.Watchdog(kind(task), isClosed)));
        silences++;
        if (silences >= QUIRK_FROM
                && hasDelivered
                && !hasEverEnded
                && !work.bearing().neverEnds()) {
            work.bearing().learn(Trait.NO_EOSE, 1);
            work.note(new LinkNote.Verdict("it never says EOSE"));
        }
    }

    private static String kind(Task task) {
        return switch (task) {
            case GroupedCatchUp _ -> "catchup";
            case IdFetch fetch -> fetch.isFirst() ? "negentropy_hydration" : "negentropy_retry";
            case PageWalk walk when walk.isFallback() -> "negentropy_fallback";
            case PageWalk _, Reconciliation _ ->
                switch (task.batch().purpose()) {
                    case SWEEP -> "sweep";
                    case CATCHUP -> "catchup";
                    case REFETCH -> "negentropy_retry";
                    case ANNOUNCEMENTS, REPOSITORIES, ROOTS, THREADS -> "historic_page";
                };
        };
    }
}
