package dev.grapnel.sync.link;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Asks again for everything that was confirmed, from a moment on, because nothing was heard for a while (R4.10). Until
/// all of it is there, the coverage of the link stays where it was.
final class CatchUp {
    private final ConfirmedWalk walk;
    private final Coverage coverage;
    private final long since;
    private final Set<Long> open = new LinkedHashSet<>();
    private final List<Question> waiting = new ArrayList<>();
    private int waitingBytes;

    /// Which letters of a layer live filters ask by; the others are swept.
    interface Coverage {
        String streamedBy(Layer layer);
    }

    CatchUp(ConfirmedWalk walk, Coverage coverage, long since) {
        this.walk = walk;
        this.coverage = coverage;
        this.since = since;
    }

    /// Makes batches, as many as there is room for.
    void fill(HistoricWork work, int room) {
        int left = room;
        while (left > 0 && !walk.isDone()) {
            var chunk = walk.next(work.sizes());
            if (chunk.isEmpty()) {
                break;
            }
            left -= add(chunk.get(), work);
        }
        if (walk.isDone()) {
            flush(work);
        } else if (left > 0) {
            work.schedulePump(); // a long list is walked in several turns
        }
    }

    private int add(Chunk chunk, HistoricWork work) {
        int before = open.size();
        for (var question : Question.allOf(chunk)) {
            if (chunk.layer() == Layer.ANNOUNCEMENTS
                    || coverage.streamedBy(chunk.layer()).indexOf(question.letter()) >= 0) {
                add(question, work);
            }
        }
        return open.size() - before;
    }

    private void add(Question question, HistoricWork work) {
        int bytes = question.filter(work.targets(), work.config())
                .map(filter -> filter.build().json().length() + 64)
                .orElse(0);
        boolean isTooMuch = waiting.size() >= work.bearing().filtersPerRequest()
                || waitingBytes + bytes > work.bearing().catchUpBytes();
        if (!waiting.isEmpty() && isTooMuch) {
            flush(work);
        }
        waiting.add(question);
        waitingBytes += bytes;
    }

    private void flush(HistoricWork work) {
        if (!waiting.isEmpty()) {
            var batch = work.newBatch(Purpose.CATCHUP, List.of());
            open.add(batch.id());
            work.add(new GroupedCatchUp(work, batch, waiting, since));
            waiting.clear();
            waitingBytes = 0;
        }
    }

    void confirmed(Batch batch) {
        open.remove(batch.id());
    }

    /// Whether everything is asked for, answered or not.
    boolean isWalked() {
        return walk.isDone() && waiting.isEmpty();
    }

    boolean isDone() {
        return walk.isDone() && waiting.isEmpty() && open.isEmpty();
    }
}
