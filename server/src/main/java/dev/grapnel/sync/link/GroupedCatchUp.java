package dev.grapnel.sync.link;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.link.Asking.End;
import dev.grapnel.sync.received.Arrivals.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Several filters of a catch-up in one REQ (R3.13). Its answer is judged as a whole: unless it is plainly complete,
/// each
/// filter is asked again alone, because an event that came through one does not tell how far another was read.
final class GroupedCatchUp extends Task {
    private static final int FLOOR = 20;

    private final List<Question> questions;
    private final long since;
    private Optional<Asking> asking = Optional.empty();

    GroupedCatchUp(HistoricWork work, Batch batch, List<Question> questions, long since) {
        super(work, batch);
        this.questions = List.copyOf(questions);
        this.since = since;
    }

    @Override
    void begin(Wire wire) {
        var filters = questions.stream()
                .flatMap(question -> question.filter(work().targets(), work().config()).stream())
                .map(filter ->
                        filter.since(since).limit(work().bearing().pageLimit()).build())
                .toList();
        if (filters.isEmpty()) {
            work().done(this);
            return;
        }
        work().note(new LinkNote.Page());
        asking = Optional.of(Asking.begin(
                work(), wire, Purpose.CATCHUP.role(), filters, Purpose.CATCHUP.path(false), end -> over(end, filters)));
    }

    private void over(End end, List<Filter> filters) {
        var page = asking.orElseThrow();
        asking = Optional.empty();
        if (end instanceof End.Complete) {
            work().answered(this);
        }
        if (page.outcomes(Outcome.FAILED) > 0) {
            work().failed(this, false);
        } else if (page.outcomes(Outcome.OVER_QUOTA) > 0) {
            work().failed(this, true);
        } else if (end instanceof End.Complete
                && (page.count() == 0 || (page.count() < FLOOR && work().largestPage() > page.count()))) {
            work().done(this);
        } else if (end instanceof End.Complete || page.count() > 0) {
            if (end instanceof End.Silent) {
                work().silences().paused(this);
            }
            if (filters.size() == 1) {
                work().sawPage(page.count());
            }
            work().replace(this, cut(1));
        } else {
            fail(end);
        }
    }

    @Override
    List<Task> cut(int width) {
        return questions.stream()
                .map(question ->
                        (Task) new PageWalk(work(), batch(), question, OptionalLong.of(since), OptionalLong.empty()))
                .toList();
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
    int filterCount() {
        return questions.size();
    }

    @Override
    int width() {
        return questions.stream().mapToInt(Question::width).max().orElse(0);
    }

    @Override
    Patience.Kind kind() {
        return questions.size() == 1 ? Patience.Kind.of(questions.getFirst()) : Patience.Kind.CATCHUP;
    }

    @Override
    long fingerprint() {
        return 0;
    }
}
