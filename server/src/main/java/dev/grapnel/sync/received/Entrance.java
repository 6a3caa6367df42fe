package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.sync.world.Gate;
import dev.grapnel.sync.world.Gate.Ruling;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Lines events up before the gate: those that depend on each other one after the other, a bounded number at once, new
/// ones before copies of what waits here already (R7.9). Nothing is dropped; how much can wait is bounded by the links,
/// which stop reading.
final class Entrance {
    /// One start in so many is a copy's, if there are any, so that these come in, too.
    private static final int COPY_EVERY = 16;

    private final Gate gate;
    private final RelayNames relays;
    private final KeyHash hashes;
    private final Quotas quotas;
    private final RecentKeys recent;
    private final int max;
    private final BiConsumer<Passage, Ruling> ruled;
    private final Consumer<Passage> overQuota;
    private final Stripes stripes;
    private final Queue<Passage> fresh = new ArrayDeque<>();
    private final Queue<Passage> copies = new ArrayDeque<>();
    private int inGate;
    private int starts;

    /// @param ruled told what the gate said, before others may go
    /// @param overQuota told of announcements that their relays may not bring now
    Entrance(
            Gate gate,
            RelayNames relays,
            KeyHash hashes,
            Quotas quotas,
            RecentKeys recent,
            int max,
            BiConsumer<Passage, Ruling> ruled,
            Consumer<Passage> overQuota) {
        this.gate = gate;
        this.relays = relays;
        this.hashes = hashes;
        this.quotas = quotas;
        this.recent = recent;
        this.max = max;
        this.ruled = ruled;
        this.overQuota = overQuota;
        this.stripes = new Stripes(fresh::add);
    }

    /// Lines an unknown event up.
    void enter(Passage passage) {
        var claims = Claims.of(passage.event(), hashes);
        passage.claim(stripes.enter(passage, claims.own(), claims.shared()));
        pump();
    }

    /// Lines a copy of an event up that waits here, or did.
    void enterCopy(Passage passage) {
        copies.add(passage);
        pump();
    }

    int inGate() {
        return inGate;
    }

    boolean isQuiet() {
        return inGate == 0;
    }

    private void pump() {
        while (inGate < max && !(fresh.isEmpty() && copies.isEmpty())) {
            starts++;
            boolean isCopysTurn = fresh.isEmpty() || (starts % COPY_EVERY == 0 && !copies.isEmpty());
            admit(isCopysTurn ? copies.remove() : fresh.remove());
        }
    }

    private void admit(Passage passage) {
        if (!isMetered(passage)) {
            start(passage);
            return;
        }
        switch (quotas.enter(passage)) {
            case GO -> {
                passage.meter();
                start(passage);
            }
            case WAIT -> {
                // quotas has it until the gate has decided about others of its relay
            }
            case OVER -> {
                try {
                    overQuota.accept(passage);
                } finally {
                    leave(passage);
                }
            }
        }
    }

    /// Whether it may be newly held, and its relay has a quota.
    private boolean isMetered(Passage passage) {
        boolean isCopy = passage.claim() == null;
        return passage.event().kind() == Kinds.ANNOUNCEMENT && !isCopy && !relays.isBootstrap(passage.relay());
    }

    private void start(Passage passage) {
        inGate++;
        passage.begin(recent.now());
        gate.admit(passage.event(), passage.first().url(), ruling -> end(passage, ruling));
    }

    private void end(Passage passage, Ruling ruling) {
        inGate--;
        try {
            ruled.accept(passage, ruling);
        } finally { // who waits behind it must not wait for ever
            goOn(passage, ruling);
        }
    }

    private void goOn(Passage passage, Ruling ruling) {
        leave(passage);
        if (passage.isMetered()) {
            var relay = passage.first().url();
            quotas.leave(relay, ruling instanceof Ruling.Held);
            for (var next = quotas.poll(relay); next.isPresent(); next = quotas.poll(relay)) {
                admit(next.get());
            }
        }
        pump();
    }

    private void leave(Passage passage) {
        var claim = passage.claim();
        if (claim != null) {
            stripes.leave(claim);
        }
    }
}
