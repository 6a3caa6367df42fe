package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pool.LocalPool;
import dev.grapnel.git.refs.RefChange;
import dev.grapnel.git.refs.RefOutcome;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.purgatory.reconcile.FoundRef.Fate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes a repository of the existing server ours, when its branches and tags are what a state says already
/// (purgatory P-715). Nothing of it was shown before.
///
/// First what waits has a place of its own, then rows say so, then refs go, and last it is called ours: after a
/// kill all of it is done again and changes nothing twice.
final class TakeOver {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);

    private final Reconciler.Parts parts;
    private final RepositoryLease repository;
    private final LocalPool objects;

    private TakeOver(Reconciler.Parts parts, RepositoryLease repository, LocalPool objects) {
        this.parts = parts;
        this.repository = repository;
        this.objects = objects;
    }

    /// The identifier's lock is held.
    static void run(Reconciler.Parts parts, RepositoryLease repository) throws IOException {
        List<LocalPool.Source> itself = List.of(new LocalPool.Source.Related(repository.address()));
        try (var objects = parts.objects().open(itself, Optional.empty())) {
            new TakeOver(parts, repository, objects).run();
        }
    }

    private void run() throws IOException {
        var refs = repository.refs().current();
        var found = parts.store()
                .read(view -> refs.values().entrySet().stream()
                        .filter(ref -> ref.getKey().text().startsWith(RefName.PROPOSALS))
                        .map(ref -> FoundRef.judge(ref.getKey(), ref.getValue().target(), repository.address(), view))
                        .toList());
        var complete = complete(found);
        var waiting = new TreeMap<EventId, Oid>();
        var leaving = new ArrayList<FoundRef>();
        for (var ref : found) {
            boolean isComplete = complete.contains(ref.target());
            switch (ref.fate()) {
                case Fate.Stays() when isComplete -> {
                    // as it is
                }
                case Fate.Waits(var id)
                when isComplete -> {
                    waiting.put(id, ref.target());
                    leaving.add(ref);
                }
                case Fate.Stays _, Fate.Goes _, Fate.Waits _ -> leaving.add(ref);
                case Fate.Unknown _ -> warn(ref);
            }
        }
        stage(waiting, refs);
        remove(leaving);
        long incomplete = objects.countIncomplete();
        repository.takeOver(incomplete > 0);
        report(found.size(), leaving.size(), waiting.size(), incomplete);
    }

    /// Those commits that are here with all they reach.
    private Set<Oid> complete(List<FoundRef> found) throws IOException {
        var commits = new LinkedHashSet<Oid>();
        objects.find(found.stream().map(FoundRef::target).distinct().toList()).forEach((id, type) -> {
            if (type == ObjectType.COMMIT) {
                commits.add(id);
            }
        });
        return commits;
    }

    /// One area for all, so that what they share is copied once; what branches and tags reach stays where it is.
    private void stage(Map<EventId, Oid> waiting, Refs refs) throws IOException {
        if (waiting.isEmpty()) {
            return;
        }
        var kept = new LinkedHashSet<Oid>();
        refs.values().forEach((name, value) -> {
            if (Alignment.isManaged(name)) {
                kept.add(value.target());
            }
        });
        var area = parts.repositories().staging().newName();
        objects.putAside(new LinkedHashSet<>(waiting.values()), kept, repository, area);
        parts.staged()
                .adopt(waiting, repository.address(), area, parts.pools().time().wall());
    }

    private void remove(List<FoundRef> leaving) throws IOException {
        var changes = leaving.stream()
                .map(ref -> new RefChange(ref.name(), ref.target(), Oid.ZERO))
                .toList();
        if (!changes.isEmpty()
                && !(repository.refs().apply(changes, Optional.empty(), repository.peeler())
                        instanceof RefOutcome.Done)) {
            throw new IOException("refs of proposals that the existing server left could not be removed");
        }
    }

    private void warn(FoundRef ref) {
        LOG.warn(
                "adopt.unexplained identifier={} owner={} ref={}: no event can be called like this; it is hidden and"
                        + " left alone",
                repository.address().identifier(),
                repository.address().owner(),
                ref.name());
    }

    private void report(int proposals, int removed, int staged, long incomplete) {
        LOG.info(
                "adopt.repository identifier={} owner={} proposals={} removed={} staged={} incomplete={}",
                repository.address().identifier(),
                repository.address().owner(),
                proposals,
                removed,
                staged,
                incomplete);
    }
}
