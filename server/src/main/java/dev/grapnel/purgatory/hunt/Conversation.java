package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.purgatory.hunt.HuntNote.DeferReason;
import dev.grapnel.purgatory.hunt.HuntNote.OidKind;
import dev.grapnel.purgatory.hunt.HuntNote.Operation;
import dev.grapnel.purgatory.hunt.HuntNote.Role;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// What is asked during one visit (P-662): the refs, then all needed ids among them in one request, then a few that are
/// not among them, each alone. One object a visit, one thread.
final class Conversation {
    /// Most ids of one request (P-611).
    static final int WANTS_MAX = 2000;

    /// Most requests of a visit that repeat one which was refused: whoever refuses so much of what it advertises has
    /// other refs by now.
    static final int REPEATS_MAX = 5;

    private final Visit visit;
    private final Lease lease;
    private final HuntUrl url;
    private final Role role;
    private final HuntConfig.Guesses guesses;
    private final Misses misses;
    private final Timeline time;
    private final Consumer<HuntNote> notes;

    private final Map<Oid, Wanted> wanted;
    private final Set<Oid> missing;
    private final Set<Oid> obtained = new HashSet<>();
    private final Set<Oid> refused = new HashSet<>();
    private int repeats;
    private int advertised;
    private int speculative;

    /// What is known about an id that is missing.
    ///
    /// @param isServed whether a served event needs it
    /// @param isHead whether HEAD's branch has it somewhere
    /// @param isOverdue whether only events need it whose time is over
    private record Wanted(boolean isServed, boolean isHead, boolean isOverdue, Set<RefName> refs) {
        Wanted with(Wanted other) {
            var all = new LinkedHashSet<>(refs);
            all.addAll(other.refs);
            return new Wanted(isServed || other.isServed, isHead || other.isHead, isOverdue && other.isOverdue, all);
        }

        /// Served events first, then branches of HEAD.
        int rank() {
            return (isServed ? 0 : 2) + (isHead ? 0 : 1);
        }
    }

    Conversation(
            Visit visit,
            Lease lease,
            HuntUrl url,
            List<Need> needs,
            Role role,
            HuntConfig.Guesses guesses,
            Misses misses,
            Timeline time,
            Consumer<HuntNote> notes) {
        this.visit = visit;
        this.lease = lease;
        this.url = url;
        this.role = role;
        this.guesses = guesses;
        this.misses = misses;
        this.time = time;
        this.notes = notes;
        this.wanted = wanted(needs);
        this.missing = new LinkedHashSet<>(wanted.keySet());
    }

    private static Map<Oid, Wanted> wanted(List<Need> needs) {
        var all = new LinkedHashMap<Oid, Wanted>();
        for (var need : needs) {
            for (var tip : need.tips()) {
                var one = new Wanted(need.isServed(), tip.isHead(), need.isOverdue(), Set.copyOf(tip.refs()));
                all.merge(tip.oid(), one, Wanted::with);
            }
        }
        return all;
    }

    /// Asks all there is to ask, or as much as limits allow.
    Outcome hold() {
        long begun = time.now();
        Optional<VisitFailed> failed = Optional.empty();
        try {
            var refs = advertise();
            fetchAdvertised(refs);
            fetchOthers(refs);
        } catch (VisitFailed e) {
            failed = Optional.of(e);
        }
        return new Outcome(
                failed, advertised, speculative, obtained, visit.received(), Duration.ofMillis(time.now() - begun));
    }

    private Advertisement advertise() throws VisitFailed {
        var names = new HashSet<RefName>();
        wanted.values().forEach(one -> names.addAll(one.refs()));
        return request(Operation.LS_REMOTE, () -> visit.advertise(Set.copyOf(missing), names));
    }

    private void fetchAdvertised(Advertisement refs) throws VisitFailed {
        var known = misses.of(url.text(), refs.fingerprint(), time.now());
        var tips = missing.stream()
                .filter(refs.advertised()::contains)
                .filter(oid -> !known.contains(oid))
                .toList();
        advertised = tips.size();
        notes.accept(new HuntNote.Asked(OidKind.ADVERTISED_TIP, tips.size()));
        var batches = new ArrayDeque<List<Oid>>();
        for (int from = 0; from < tips.size(); from += WANTS_MAX) {
            batches.add(tips.subList(from, Math.min(tips.size(), from + WANTS_MAX)));
        }
        boolean isFirst = true;
        while (!batches.isEmpty()) {
            var batch = stillWanted(batches.remove());
            if (batch.isEmpty()) {
                continue;
            }
            if (!isFirst && !lease.tryFurther()) {
                notes.accept(new HuntNote.Deferred(Operation.FETCH_BATCH, DeferReason.COMMAND_BUDGET));
                break;
            }
            isFirst = false;
            fetchBatch(batch).reversed().forEach(batches::addFirst);
        }
        misses.add(url.text(), refs.fingerprint(), refused, time.now());
    }

    /// Some may have come along with others.
    private List<Oid> stillWanted(List<Oid> batch) {
        return batch.stream()
                .filter(oid -> missing.contains(oid) && !refused.contains(oid))
                .toList();
    }

    /// Asks for ids that are advertised. Since then refs may have changed, and some servers advertise what a tag stands
    /// for but do not give it: then none of them comes, and the others are asked for again.
    ///
    /// @return what is to be asked for in its place
    private List<List<Oid>> fetchBatch(List<Oid> batch) throws VisitFailed {
        try {
            var lost = fetch(Operation.FETCH_BATCH, batch).refused();
            refused.addAll(lost);
            return lost.isEmpty() || ++repeats > REPEATS_MAX ? List.of() : List.of(batch);
        } catch (VisitFailed e) {
            boolean isOneOfThem = e.failure() instanceof Failure.Complained && batch.size() > 1;
            if (!isOneOfThem || ++repeats > REPEATS_MAX) {
                throw e;
            }
            int half = batch.size() / 2; // nobody says which, but it is in one half only
            return List.of(batch.subList(0, half), batch.subList(half, batch.size()));
        }
    }

    /// What is not among the refs, except what was asked for in vain already while they were the same.
    private void fetchOthers(Advertisement refs) throws VisitFailed {
        var known = misses.of(url.text(), refs.fingerprint(), time.now());
        var others = missing.stream()
                .filter(oid -> refused.contains(oid) || (!refs.advertised().contains(oid) && !known.contains(oid)))
                .filter(oid -> !isOverdue(oid))
                .sorted(Comparator.comparingInt(this::rank))
                .toList();
        if (refs.allowsUnadvertised()) {
            guess(others.stream().filter(oid -> !refused.contains(oid)).toList(), refs.fingerprint());
        } else {
            fetchSameNames(others, refs);
        }
    }

    private boolean isOverdue(Oid oid) {
        var one = wanted.get(oid);
        return one == null || one.isOverdue();
    }

    private int rank(Oid oid) {
        var one = wanted.get(oid);
        return one == null ? Integer.MAX_VALUE : one.rank();
    }

    private void guess(List<Oid> others, String fingerprint) throws VisitFailed {
        for (var oid : others) {
            if (!missing.contains(oid)) {
                continue; // it came along with another one
            }
            if (speculative >= guesses.perVisit() || !lease.tryGuess(guesses.perMinute())) {
                notes.accept(new HuntNote.Deferred(Operation.FETCH_RESIDUAL, DeferReason.SPECULATIVE_BUDGET));
                notes.accept(new HuntNote.Asked(
                        OidKind.RESIDUAL_SKIPPED,
                        (int) others.stream().filter(missing::contains).count() - missed(others, fingerprint)));
                return;
            }
            speculative++;
            notes.accept(new HuntNote.Asked(OidKind.RESIDUAL_ATTEMPTED, 1));
            fetchAlone(oid);
            if (missing.contains(oid)) {
                misses.add(url.text(), fingerprint, List.of(oid), time.now());
                notes.accept(new HuntNote.Asked(OidKind.RESIDUAL_MISSING, 1));
            }
        }
    }

    /// A refusal costs that id only, in whatever words it comes: it was asked for alone.
    private void fetchAlone(Oid oid) throws VisitFailed {
        try {
            var _ = fetch(Operation.FETCH_RESIDUAL, List.of(oid));
        } catch (VisitFailed e) {
            if (!(e.failure() instanceof Failure.Complained)) {
                throw e;
            }
        }
    }

    private int missed(List<Oid> others, String fingerprint) {
        var known = misses.of(url.text(), fingerprint, time.now());
        return (int) others.stream().filter(known::contains).count();
    }

    /// The server gives only what its refs have: what is declared for refs of the same names may be behind them. What
    /// does not come this way is not there while the refs are the same.
    private void fetchSameNames(List<Oid> others, Advertisement refs) throws VisitFailed {
        var values = new LinkedHashSet<Oid>();
        for (var oid : others) {
            var one = wanted.get(oid);
            if (one != null) {
                one.refs().stream()
                        .map(refs.refs()::get)
                        .filter(value -> value != null)
                        .forEach(values::add);
            }
        }
        values.removeAll(obtained);
        values.removeAll(refused);
        if (values.isEmpty()) {
            return;
        }
        if (!lease.trySpare()) {
            notes.accept(new HuntNote.Deferred(Operation.FETCH_RESIDUAL, DeferReason.COMMAND_BUDGET));
            return;
        }
        var _ = fetch(Operation.FETCH_RESIDUAL, values.stream().limit(WANTS_MAX).toList());
        misses.add(
                url.text(),
                refs.fingerprint(),
                others.stream().filter(missing::contains).toList(),
                time.now());
    }

    private Fetched fetch(Operation operation, List<Oid> wants) throws VisitFailed {
        var fetched = request(operation, () -> visit.fetch(wants, Set.copyOf(missing)));
        var came = new ArrayList<>(fetched.obtained());
        came.retainAll(missing);
        obtained.addAll(came);
        missing.removeAll(new HashSet<>(came));
        notes.accept(new HuntNote.Asked(OidKind.FETCHED, came.size()));
        return fetched;
    }

    /// A question to the server.
    private interface Question<T> {
        T ask() throws VisitFailed;
    }

    private <T> T request(Operation operation, Question<T> question) throws VisitFailed {
        notes.accept(new HuntNote.Requesting(operation, role));
        long begun = time.now();
        var outcome = HuntNote.Outcome.FAILURE;
        long before = visit.received();
        try {
            var answer = question.ask();
            outcome = HuntNote.Outcome.SUCCESS;
            return answer;
        } catch (VisitFailed e) {
            if (e.failure() instanceof Failure.Cancelled) {
                outcome = HuntNote.Outcome.CANCELLED;
            }
            throw e;
        } finally {
            var took = Duration.ofMillis(time.now() - begun);
            notes.accept(new HuntNote.Requested(operation, role, outcome, took, visit.received() - before));
        }
    }
}
