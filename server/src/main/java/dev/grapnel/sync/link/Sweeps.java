package dev.grapnel.sync.link;

import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/// Asks now and then, from the last time on, for what cannot be streamed from a relay (R3.24), and for threads of which
/// there is no room to know how far they were asked for (8.2): all of it as soon as that is found, once more in each
/// epoch, and in between from the last time on. A pass counts only when all of it was answered.
final class Sweeps {
    private static final int OVERLAP = 900;
    private static final long STALE = 24 * 3600;
    private static final int BATCHES_MAX = 16;

    private final Link link;
    private final Sweep quick = new Sweep(Duration.ofMinutes(5));
    private final Sweep slow = new Sweep(Duration.ofHours(6));
    private final Sweep unmarked = new Sweep(Duration.ofHours(6));
    private final List<Sweep> all = List.of(quick, slow, unmarked);

    /// One of the rhythms.
    private static final class Sweep {
        private final Duration every;
        private final Set<Long> open = new LinkedHashSet<>();
        private Optional<ConfirmedWalk> walk = Optional.empty();
        private OptionalLong complete = OptionalLong.empty();
        private long began;
        private Runnable alarm = () -> {};
        private boolean isArmed;

        private Sweep(Duration every) {
            this.every = every;
        }

        private boolean isRunning() {
            return walk.isPresent() || !open.isEmpty();
        }
    }

    Sweeps(Link link) {
        this.link = link;
    }

    /// Which letters are swept has changed, or a connection is there.
    void arm() {
        arm(quick, !quickLayers().isEmpty());
        arm(slow, link.plan().isSwept(Layer.THREADS));
        arm(unmarked, link.demand().hasUnmarked());
    }

    private Set<Layer> quickLayers() {
        var layers = EnumSet.noneOf(Layer.class);
        for (var layer : Layer.values()) {
            if (!layer.isThread() && link.plan().isSwept(layer)) {
                layers.add(layer);
            }
        }
        return layers;
    }

    private void arm(Sweep sweep, boolean isWanted) {
        if (!isWanted) {
            sweep.alarm.run();
            sweep.isArmed = false;
        } else if (!sweep.isArmed && !sweep.isRunning()) {
            sweep.isArmed = true;
            sweep.alarm = link.loop().after(untilNext(sweep), () -> {
                sweep.isArmed = false;
                begin(sweep);
            });
        }
    }

    /// A pass begins so long after the last one, however often the connection was lost. The first pass over what is
    /// swept
    /// was its ordinary request; over what has no prefix there was none.
    private Duration untilNext(Sweep sweep) {
        if (sweep.complete.isEmpty()) {
            return sweep == unmarked ? Duration.ZERO : sweep.every;
        }
        long next = sweep.complete.getAsLong() + sweep.every.toSeconds();
        long seconds = next - link.loop().wall().getEpochSecond();
        return Duration.ofSeconds(Math.clamp(seconds, 0, sweep.every.toSeconds()));
    }

    private void begin(Sweep sweep) {
        if (!link.work().isUp() || sweep.isRunning()) {
            return;
        }
        Set<Layer> layers = sweep == quick ? quickLayers() : EnumSet.of(Layer.THREADS, Layer.THREAD_ADDRESSES);
        var demand = link.demand();
        IntUnaryOperator members = sweep == unmarked ? demand::unmarkedMembers : demand::confirmedMembers;
        sweep.began = link.loop().wall().getEpochSecond();
        sweep.walk = Optional.of(new ConfirmedWalk(link.relay(), link.targets(), members, layers));
        fill(sweep);
        finish(sweep);
    }

    private void fill(Sweep sweep) {
        while (sweep.walk.isPresent() && sweep.open.size() < BATCHES_MAX) {
            var chunk = sweep.walk.get().next(link.work().sizes());
            if (chunk.isPresent()) {
                add(sweep, chunk.get());
            } else if (sweep.walk.get().isDone()) {
                sweep.walk = Optional.empty();
            } else {
                link.loop().post(() -> fill(sweep));
                return;
            }
        }
    }

    private void add(Sweep sweep, Chunk chunk) {
        var batch = link.work().newBatch(Purpose.SWEEP, List.of());
        boolean isAny = false;
        for (var question : Question.allOf(chunk)) {
            if (sweep == unmarked || link.plan().isSwept(chunk.layer(), question.letter())) {
                isAny = true;
                link.work().add(new PageWalk(link.work(), batch, question, since(sweep), OptionalLong.empty()));
            }
        }
        if (isAny) {
            sweep.open.add(batch.id());
        } else {
            link.work().batches().remove(batch);
        }
    }

    private static OptionalLong since(Sweep sweep) {
        return sweep.complete.isPresent() && sweep.began - sweep.complete.getAsLong() < STALE
                ? OptionalLong.of(Math.max(0, sweep.complete.getAsLong() - OVERLAP))
                : OptionalLong.empty();
    }

    void confirmed(Batch batch) {
        for (var sweep : all) {
            if (sweep.open.remove(batch.id())) {
                fill(sweep);
                finish(sweep);
            }
        }
    }

    private void finish(Sweep sweep) {
        if (!sweep.isRunning()) {
            sweep.complete = OptionalLong.of(sweep.began);
            arm();
        }
    }

    /// The connection is gone; a pass that was not complete does not count.
    void lost() {
        for (var sweep : all) {
            sweep.alarm.run();
            sweep.isArmed = false;
            sweep.walk = Optional.empty();
            sweep.open.clear();
        }
    }

    /// Everything is asked for anew, and what was under way is not: a pass that was not complete does not count.
    void restart() {
        lost();
        unmarked.complete = OptionalLong.empty();
        arm();
    }

    /// Age of the oldest complete pass, in seconds.
    OptionalLong oldestPass() {
        long now = link.loop().wall().getEpochSecond();
        return all.stream()
                .filter(sweep -> sweep.isArmed || sweep.isRunning())
                .filter(sweep -> sweep.complete.isPresent())
                .mapToLong(sweep -> now - sweep.complete.getAsLong())
                .max();
    }
}
