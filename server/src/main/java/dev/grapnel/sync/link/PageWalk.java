package dev.grapnel.sync.link;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.link.Asking.End;
import dev.grapnel.sync.received.Arrivals.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// Reads everything that a relay has for one filter, page by page backwards in time, whatever the relay's pages hold
/// (R4.19). It keeps its place, so it can be interrupted between two pages.
final class PageWalk extends Task {
    /// Below this a page may be a relay's whole answer; nobody is known to cap lower.
    private static final int FLOOR = 20;

    private static final int PAGES_MAX = 10_000;

    private final Question question;
    private final OptionalLong since;
    private final Deque<Slice> seconds = new ArrayDeque<>(0); // nearly always empty
    private Optional<Long> until;
    private boolean isWalked;
    private int pages;
    private Optional<Asking> asking = Optional.empty();
    private long received;
    private boolean isFallback;

    /// A part of the values in one second (R4.19a).
    ///
    /// @param filled events that filled a page
    private record Slice(List<String> values, long second, int filled) {}

    PageWalk(HistoricWork work, Batch batch, Question question, OptionalLong since, OptionalLong until) {
        super(work, batch);
        this.question = question;
        this.since = since;
        this.until = until.isPresent() ? Optional.of(until.getAsLong()) : Optional.empty();
    }

    /// It takes the place of a comparison.
    PageWalk asFallback() {
        isFallback = true;
        return this;
    }

    boolean isFallback() {
        return isFallback;
    }

    Question question() {
        return question;
    }

    /// Events that came in all.
    long received() {
        return received;
    }

    @Override
    void begin(Wire wire) {
        var filter = next();
        if (filter.isEmpty()) {
            work().done(this); // everything it would ask for is gone
            return;
        }
        work().note(new LinkNote.Page());
        asking = Optional.of(Asking.begin(
                work(),
                wire,
                batch().purpose().role(),
                List.of(filter.get()),
                batch().purpose().path(work().isDaily()),
                this::over));
    }

    private Optional<Filter> next() {
        var slice = Optional.ofNullable(seconds.peek());
        var asked = slice.map(part -> question.with(part.values())).orElse(question);
        return asked.filter(work().targets(), work().config()).map(filter -> {
            filter.limit(work().bearing().pageLimit());
            if (slice.isPresent()) {
                filter.since(slice.get().second()).until(slice.get().second());
            } else {
                since.ifPresent(filter::since);
                until.ifPresent(filter::until);
            }
            return filter.build();
        });
    }

    private void over(End end) {
        var page = asking.orElseThrow();
        asking = Optional.empty();
        received += page.count();
        if (end instanceof End.Complete) {
            work().answered(this);
        }
        if (page.outcomes(Outcome.FAILED) > 0) {
            work().failed(this, false);
        } else if (page.outcomes(Outcome.OVER_QUOTA) > 0) {
            work().failed(this, true);
        } else if (end instanceof End.Complete) {
            turn(page);
        } else if (end instanceof End.Silent && page.count() > 0) {
            work().silences().paused(this);
            batch().doubt();
            turn(page);
        } else {
            fail(end);
        }
    }

    private void turn(Asking page) {
        if (++pages > PAGES_MAX) {
            work().failed(this, false);
            return;
        }
        if (seconds.isEmpty()) {
            step(page.count(), page.oldest());
        } else {
            step(seconds.remove(), page.count());
        }
        work().sawPage(page.count());
        if (isWalked && seconds.isEmpty()) {
            work().done(this);
        } else {
            work().resume(this);
        }
    }

    private void step(int count, long oldest) {
        if (count == 0 || (count < FLOOR && work().largestPage() > count)) {
            isWalked = true;
            return;
        }
        boolean isLower = until.isEmpty() || oldest < until.get();
        if (!isLower && count >= FLOOR) {
            split(question.values(work().targets(), work().config()), oldest, count);
        }
        long next = isLower ? oldest : oldest - 1;
        until = Optional.of(next);
        isWalked = next < since.orElse(0);
    }

    private void step(Slice slice, int count) {
        if (count >= slice.filled()) {
            split(slice.values(), slice.second(), count);
        }
    }

    /// One second holds more than a page.
    private void split(List<String> values, long second, int filled) {
        if (values.size() < 2) {
            work().note(new LinkNote.PageOverflow());
            batch().doubt();
            return;
        }
        int middle = values.size() / 2;
        seconds.add(new Slice(values.subList(0, middle), second, filled));
        seconds.add(new Slice(values.subList(middle, values.size()), second, filled));
    }

    @Override
    List<Task> cut(int width) {
        var values = question.values(work().targets(), work().config());
        if (values.size() <= width || question.chunk().layer() == Layer.ANNOUNCEMENTS) {
            return List.of(this);
        }
        var end = Stream.concat(seconds.stream().map(Slice::second), until.stream()) // a second is read again in pieces
                .mapToLong(Long::longValue)
                .max();
        var pieces = new ArrayList<Task>();
        for (int i = 0; i < values.size(); i += width) {
            var piece = values.subList(i, Math.min(values.size(), i + width));
            var walk = new PageWalk(work(), batch(), question.with(piece), since, end);
            pieces.add(isFallback ? walk.asFallback() : walk);
        }
        return pieces;
    }

    @Override
    void abandon() {
        asking.ifPresent(Asking::abandon);
        asking = Optional.empty();
    }

    @Override
    boolean refuseSilent(Duration within, String text) {
        return asking.map(open -> open.refuseSilent(within, text)).orElse(false);
    }

    @Override
    int width() {
        return question.width();
    }

    @Override
    Patience.Kind kind() {
        return Patience.Kind.of(question);
    }

    @Override
    long fingerprint() {
        return question.filter(work().targets(), work().config())
                .map(filter -> Fingerprint.of(filter.build().json()))
                .orElse(0L);
    }
}
