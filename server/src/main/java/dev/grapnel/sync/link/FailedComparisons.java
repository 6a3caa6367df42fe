package dev.grapnel.sync.link;

import dev.grapnel.sync.health.Learned.Trait;

/// What follows when comparisons come to nothing, again and again.
final class FailedComparisons {
    /// More than it takes to halve all of time down to a second.
    private static final int REFUSED_MAX = 36;

    private final HistoricWork work;
    private final Link link;
    private int refused;
    private int silent;
    private int silentIn = -1;

    FailedComparisons(HistoricWork work, Link link) {
        this.work = work;
        this.link = link;
    }

    /// One was answered.
    void answered() {
        refused = 0;
    }

    /// One was refused however small it is: after some in a row none is tried for a day.
    void refused() {
        if (++refused >= REFUSED_MAX && work.bearing().sessions() > 0) {
            refused = 0;
            work.bearing().learn(Trait.SESSIONS, 0);
            work.note(new LinkNote.Structural(RefusalLine.SESSIONS.word()));
        }
    }

    /// One was not answered; twice on different connections is an answer (R5.9).
    void silent() {
        if (silentIn != link.generation()) {
            silentIn = link.generation();
            silent++;
        }
        if (silent >= 2) {
            silent = 0;
            work.bearing().learn(Trait.NO_NEGENTROPY, 1);
            work.note(new LinkNote.Verdict("negentropy is not answered"));
        }
    }
}
