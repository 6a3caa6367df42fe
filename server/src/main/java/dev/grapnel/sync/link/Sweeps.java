package dev.grapnel.sync.link;

import static dev.grapnel.sync.index.PairMarks.ASKED;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/// Asks now and then, from the last time on, for what cannot be streamed from a relay (R3.24), and for threads of which
/// there is no room to know how far they were asked for (8.2): all of it as soon as that is found, once more in each
/// epoch, and in between from the last time on. What can be streamed again is asked for once more, because nobody else
/// asks for what came between the last pass and its stream. A pass counts when all of it was answered; what failed is
/// tried again by itself, from where that pass began.
final class Sweeps {
    private static final long STALE = 24 * 3600;
    private static final int BATCHES_MAX = 8;
    private static final int LEFT_MAX = 64;
    /// By then live filters that were just opened deliver (R3.11).
    private static final Duration ACKNOWLEDGEMENT = Duration.ofSeconds(5);

    private final Link link;
    private final Sweep quick = new Sweep(Duration.ofMinutes(5));
    private final Sweep slow = new Sweep(Duration.ofHours(6));
    private final Sweep unmarked = new Sweep(Duration.ofHours(6));
    private final List<Sweep> all = List.of(quick, slow, unmarked);
    /// When everything began to be asked for anew.
    private OptionalLong restartedAt = OptionalLong.empty();

    /// Filters of one kind.
    private record Swept(Layer layer, char letter) {}

    /// A batch that failed.
    ///
    /// @param complete when the last complete pass began before it was asked for
    private record Left(OptionalLong complete, boolean isRefused, Set<Long> filters) {}

    /// One of the rhythms.
    private static final class Sweep {
        private final Duration every;
        private final Set<Swept> due = new LinkedHashSet<>();
        private final Set<Long> open = new LinkedHashSet<>();
        private final Map<Long, Left> left = new HashMap<>();
        private Optional<ConfirmedWalk> walk = Optional.empty();
        private Set<Swept> asked = Set.of();
        private Set<Swept> askedLast = Set.of();
        private OptionalLong complete = OptionalLong.empty();
        private long began;
        private Runnable alarm = () -> {};
        private boolean isArmed;
        private boolean isHurried;

        private Sweep(Duration every) {
            this.every = every;
        }

        private boolean isRunning() {
            return walk.isPresent() || !open.isEmpty();
        }

        private void disarm() {
            alarm.run();
            isArmed = false;
            isHurried = false;
        }
    }

    Sweeps(Link link) {
        this.link = link;
    }

    /// Which letters are swept has changed, or a connection is there.
    void arm() {
        quick.due.addAll(swept(false));
        slow.due.addAll(swept(true));
        arm(quick, !quick.due.isEmpty());
        arm(slow, !slow.due.isEmpty());
        arm(unmarked, link.demand().hasUnmarked());
    }

    private Set<Swept> swept(boolean isThread) {
        var found = new LinkedHashSet<Swept>();
        for (var layer : Layer.values()) {
            if (layer.isThread() == isThread) {
                var letters = layer == Layer.ANNOUNCEMENTS ? String.valueOf(Question.NONE) : layer.letters();
                letters.chars()
                        .mapToObj(letter -> new Swept(layer, (char) letter))
                        .forEach(found::add);
            }
        }
        found.removeIf(this::isStreamed);
        return found;
    }

    private boolean isStreamed(Swept some) {
        return !link.plan().isSwept(some.layer(), some.letter());
    }

    private void arm(Sweep sweep, boolean isWanted) {
        if (!isWanted) {
            sweep.disarm();
            return;
        }
        boolean isLast = sweep.due.stream().anyMatch(this::isStreamed);
        if (sweep.isRunning() || (sweep.isArmed && (sweep.isHurried || !isLast))) {
            return;
        }
        sweep.disarm();
        sweep.isArmed = true;
        sweep.isHurried = isLast;
        sweep.alarm = link.loop().after(isLast ? ACKNOWLEDGEMENT : untilNext(sweep), () -> {
            sweep.isArmed = false;
            sweep.isHurried = false;
            begin(sweep);
        });
    }

    /// A pass begins so long after the last one, however often the connection was lost. The first pass over what is
    /// swept was its ordinary request; over what has no prefix there was none.
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
        link.plan().review();
        sweep.asked = sweep == unmarked ? everyThread() : Set.copyOf(sweep.due);
        sweep.askedLast = sweep.due.stream().filter(this::isStreamed).collect(Collectors.toSet());
        var layers = EnumSet.noneOf(Layer.class);
        sweep.asked.forEach(some -> layers.add(some.layer()));
        var demand = link.demand();
        IntUnaryOperator members = sweep == unmarked ? demand::unmarkedMembers : demand::askedMembers;
        sweep.began = link.loop().wall().getEpochSecond();
        sweep.walk = Optional.of(new ConfirmedWalk(link.relay(), link.targets(), ASKED, members, layers));
        fill(sweep);
        finish(sweep);
    }

    private static Set<Swept> everyThread() {
        return Set.of(
                new Swept(Layer.THREADS, 'e'), new Swept(Layer.THREADS, 'q'), new Swept(Layer.THREAD_ADDRESSES, 'a'));
    }

    private void fill(Sweep sweep) {
        while (sweep.walk.isPresent() && sweep.open.size() < BATCHES_MAX) {
            var walk = sweep.walk.get();
            var chunk = walk.next(link.work().sizes());
            if (chunk.isPresent()) {
                add(sweep, chunk.get());
            } else if (walk.isDone()) {
                sweep.walk = Optional.empty();
            } else {
                link.loop().post(() -> {
                    if (sweep.walk.equals(Optional.of(walk))) {
                        fill(sweep);
                        finish(sweep);
                    }
                });
                return;
            }
        }
    }

    /// One batch for each filter, so that one which fails keeps none of the others.
    private void add(Sweep sweep, Chunk chunk) {
        for (var question : Question.allOf(chunk)) {
            if (sweep.asked.contains(new Swept(chunk.layer(), question.letter()))) {
                var batch = link.work().newBatch(Purpose.SWEEP, List.of());
                sweep.open.add(batch.id());
                link.work().add(new PageWalk(link.work(), batch, question, since(sweep), OptionalLong.empty()));
            }
        }
    }

    /// Before the first pass all of it was asked for in the ordinary way, since everything was asked for anew.
    private OptionalLong since(Sweep sweep) {
        var before = sweep.complete.isEmpty() && sweep != unmarked ? restartedAt : sweep.complete;
        return before.isPresent() && sweep.began - before.getAsLong() < STALE
                ? OptionalLong.of(link.coverage().since(before.getAsLong()))
                : OptionalLong.empty();
    }

    void confirmed(Batch batch) {
        for (var sweep : all) {
            sweep.left.remove(batch.id());
            goOn(sweep, batch);
        }
    }

    /// What failed is tried again by itself (R4.16, R4.20): others are swept meanwhile.
    void parked(Batch batch) {
        for (var sweep : all) {
            if (sweep.open.contains(batch.id())) {
                leave(sweep, batch);
                goOn(sweep, batch);
            }
        }
    }

    private void leave(Sweep sweep, Batch batch) {
        var filters = batch.failures().stream().map(Task::fingerprint).collect(Collectors.toSet());
        boolean isKnown = sweep.left.values().stream()
                .anyMatch(earlier -> earlier.filters().containsAll(filters));
        if (isKnown || sweep.left.size() >= LEFT_MAX) {
            link.work().parking().drop(batch); // what failed before asks for more than this
        } else {
            boolean isRefused = batch.failures().stream().allMatch(Task::isRefused);
            sweep.left.put(batch.id(), new Left(sweep.complete, isRefused, filters));
        }
    }

    private void goOn(Sweep sweep, Batch batch) {
        if (sweep.open.remove(batch.id())) {
            fill(sweep);
            finish(sweep);
        }
    }

    private void finish(Sweep sweep) {
        if (!sweep.isRunning()) {
            sweep.complete = OptionalLong.of(sweep.began);
            sweep.due.removeIf(some -> sweep.askedLast.contains(some) && isStreamed(some));
            arm();
        }
    }

    /// The connection is gone; a pass that was not complete does not count.
    void lost() {
        for (var sweep : all) {
            sweep.disarm();
            sweep.walk = Optional.empty();
            sweep.open.clear();
            forgetLeft(sweep);
        }
    }

    /// Nobody tries it again, so the next pass must; but what is refused is left alone on the next connection, too
    /// (R4.3), until all is asked for anew.
    private static void forgetLeft(Sweep sweep) {
        for (var batch : sweep.left.values()) {
            if (!batch.isRefused()) {
                boolean isEarlier = batch.complete().orElse(0) < sweep.complete.orElse(0);
                sweep.complete = isEarlier ? batch.complete() : sweep.complete;
            }
        }
        sweep.left.clear();
    }

    /// Everything is asked for anew, and what was under way is not: a pass that was not complete does not count.
    void restart() {
        lost();
        quick.due.clear();
        slow.due.clear();
        unmarked.complete = OptionalLong.empty();
        restartedAt = OptionalLong.of(link.loop().wall().getEpochSecond());
        arm();
    }

    /// Up to which second everything that is only swept is here.
    ///
    /// @param whole when everything was last asked for
    long completeUntil(long whole) {
        return all.stream()
                .filter(this::hasSomething)
                .mapToLong(sweep -> Math.max(whole, sweep.complete.orElse(0)))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private boolean hasSomething(Sweep sweep) {
        return sweep == unmarked
                ? link.demand().hasUnmarked()
                : sweep.due.stream().anyMatch(some -> link.plan().hasSome(some.layer()));
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
