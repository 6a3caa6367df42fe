package dev.grapnel.sync.received;

import dev.grapnel.sync.world.Gate;
import dev.grapnel.sync.world.Gate.Ruling;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Lets events into the gate: a bounded number at once, new ones before copies of what waits here already, relays by
/// turns (R7.9, [Line]). Nothing is dropped; how much can wait is bounded by the links, which stop reading.
final class Entrance {
    /// One start in so many is a copy's, if there are any, so that these come in, too.
    private static final int COPY_EVERY = 16;

    private final Gate gate;
    private final Meters meters;
    private final RecentKeys recent;
    private final int max;
    private final BiConsumer<Passage, Ruling> ruled;
    private final Consumer<Passage> overQuota;
    private final Line fresh = new Line();
    private final Line copies = new Line();
    private int inGate;
    private int starts;
    private long linedUp;
    private boolean isPumping;

    /// @param ruled told what the gate said, before others may go
    /// @param overQuota told of what its relay may not bring now
    Entrance(
            Gate gate,
            Meters meters,
            RecentKeys recent,
            int max,
            BiConsumer<Passage, Ruling> ruled,
            Consumer<Passage> overQuota) {
        this.gate = gate;
        this.meters = meters;
        this.recent = recent;
        this.max = max;
        this.ruled = ruled;
        this.overQuota = overQuota;
    }

    /// Lines an event up for all that brought it: an unknown one, or a copy of one that waits here, or did.
    void enter(Passage passage) {
        var line = lineOf(passage);
        passage.relays().forEach(relay -> lineUp(passage, relay, line));
        pump();
    }

    private void lineUp(Passage passage, int relay, Line line) {
        line.add(passage, relay);
        linedUp++;
    }

    /// Another relay has brought it as well: it goes when either has its turn.
    void join(Passage passage, int relay) {
        if (passage.isWaiting()) {
            lineUp(passage, relay, lineOf(passage));
        }
    }

    /// How often something was lined up, for whoever counts work.
    long linedUp() {
        return linedUp;
    }

    int inGate() {
        return inGate;
    }

    boolean isQuiet() {
        return inGate == 0;
    }

    private Line lineOf(Passage passage) {
        return passage.isCopy() ? copies : fresh;
    }

    /// Whoever hears of an outcome may bring the next event: that one is seen to by who is at it already.
    private void pump() {
        if (isPumping) {
            return;
        }
        isPumping = true;
        boolean isDone = false;
        try {
            for (var next = poll(); next.isPresent(); next = poll()) {
                admit(next.get());
            }
            isDone = true;
        } finally {
            isPumping = false;
            if (!isDone) {
                pump(); // who cannot bear an outcome must not keep the others waiting
            }
        }
    }

    private Optional<Passage> poll() {
        if (inGate >= max) {
            return Optional.empty();
        }
        boolean isCopysTurn = (starts + 1) % COPY_EVERY == 0;
        var next = isCopysTurn
                ? copies.poll(_ -> true).or(() -> fresh.poll(this::isDecidable))
                : fresh.poll(this::isDecidable).or(() -> copies.poll(_ -> true));
        starts += next.isPresent() ? 1 : 0;
        return next;
    }

    /// Otherwise it waits until the gate has decided about others of its relay.
    private boolean isDecidable(Passage passage) {
        return meters.find(passage)
                .filter(quota -> quota.ask(passage.first().url()) == Quotas.Answer.WAIT)
                .isEmpty();
    }

    private void admit(Passage passage) {
        var relay = passage.first().url();
        var quota = meters.find(passage);
        boolean isOver =
                quota.filter(found -> found.ask(relay) == Quotas.Answer.OVER).isPresent();
        if (!isOver) {
            quota.ifPresent(found -> {
                found.enter(relay);
                passage.meter(found);
            });
            start(passage);
        } else if (meters.isExempt(passage)) {
            start(passage);
        } else {
            try {
                overQuota.accept(passage);
            } finally {
                fresh.leave(passage);
            }
        }
    }

    private void start(Passage passage) {
        inGate++;
        passage.begin(recent.now());
        boolean isGiven = false;
        try {
            gate.admit(passage.event(), passage.first().url(), ruling -> end(passage, ruling));
            isGiven = true;
        } finally {
            if (!isGiven) {
                end(passage, new Ruling.Failed("the gate did not take it"));
            }
        }
    }

    private void end(Passage passage, Ruling ruling) {
        if (!passage.end()) {
            return;
        }
        inGate--;
        try {
            ruled.accept(passage, ruling);
        } finally { // who waits behind it must not wait for ever
            goOn(passage, ruling);
        }
    }

    private void goOn(Passage passage, Ruling ruling) {
        lineOf(passage).leave(passage);
        passage.quota().ifPresent(quota -> quota.leave(passage.first().url(), Meters.isNew(passage, ruling)));
        pump();
    }
}
