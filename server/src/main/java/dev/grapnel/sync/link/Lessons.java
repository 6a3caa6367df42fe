package dev.grapnel.sync.link;

/// What follows from a relay's refusals and answers: limits of its own are learned (R4.20), what cannot be made smaller
/// is asked less and less (6.1), and a relay that wants to be asked less is (R4.29).
final class Lessons {
    private final Link link;
    private final LinkHost host;

    Lessons(Link link, LinkHost host) {
        this.link = link;
        this.host = host;
    }

    /// Remembers a limit of the relay's, and plans anew by it.
    ///
    /// @return whether it was news
    boolean learn(RefusalLine line, String text) {
        boolean isNews =
                link.bearing().learn(line, text, link.slotsInUse(), link.plan().isWide());
        if (isNews) {
            link.patience().learned();
            link.note(new LinkNote.Structural(line.word()));
            if (line != RefusalLine.LIMIT) { // a document says nothing of that
                host.askAgain(link.relay());
            }
            switch (line) {
                case OPEN_BYTES, FILTER_COUNT, SUBSCRIPTIONS, VALUES, LIMIT ->
                    link.plan().replan();
                case ITEMS, SESSIONS, AUTH, RATE, POLICY, INVALID, OTHER -> {} // live filters stay as they are
            }
        }
        return isNews;
    }

    /// The same of a refusal that may be the last word about what was asked: if nothing more can be learned, the
    /// relay is asked less and less.
    boolean learn(RefusalLine line, String text, Patience.Kind kind) {
        boolean wasMuch = link.slotsInUse() > link.bearing().slots();
        boolean isNews = learn(line, text);
        if (!isNews && !(line == RefusalLine.SUBSCRIPTIONS && wasMuch)) {
            link.note(new LinkNote.Fruitless(line.word()));
            refused(kind, line);
        }
        return isNews;
    }

    /// Something of a kind was refused, and would be again.
    void refused(Patience.Kind kind, RefusalLine line) {
        link.patience().refused(kind, line);
        link.look();
    }

    /// Something was refused, whatever follows from that.
    void refused(RefusalLine line) {
        if (line.isLasting()) {
            link.patience().refused(line, link.plan().isAnswered());
        }
    }

    /// Something of a kind was answered: whatever rested because nothing was need not wait any longer.
    void answered(Patience.Kind kind) {
        if (link.patience().answered(kind)) {
            link.plan().openRested();
            link.work().retryRested();
        }
    }

    /// The relay wants fewer requests (R4.29, R3.15).
    void slowDown(boolean namedQueries) {
        link.note(new LinkNote.RateLimited());
        if (namedQueries) {
            link.bearing().restComparing(true);
        }
        host.slowDown(link.relay());
        link.refuseUnsent();
    }
}
