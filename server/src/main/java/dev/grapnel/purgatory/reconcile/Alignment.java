package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.refs.RefChange;
import dev.grapnel.git.refs.RefValue;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// What makes a repository's refs equal to a state (service 7.3): a function of both alone.
///
/// @param changes of branches and tags
/// @param head the branch `HEAD` shall name, if it does not yet
record Alignment(List<RefChange> changes, Optional<RefName> head) {
    Alignment {
        changes = List.copyOf(changes);
    }

    /// @param refs all of the repository's
    static Alignment of(Refs refs, RepositoryState state) {
        var names = new TreeSet<>(state.refs().keySet());
        refs.values().keySet().stream()
                .filter(name -> isManaged(name) && !state.setAside().contains(name))
                .forEach(names::add);
        var changes = new ArrayList<RefChange>();
        for (var name : names) {
            var before = refs.target(name);
            var after = state.refs().getOrDefault(name, Oid.ZERO);
            if (!before.equals(after)) {
                changes.add(new RefChange(name, before, after));
            }
        }
        var head = state.defaultBranch();
        return new Alignment(changes, head.equals(refs.head()) ? Optional.empty() : Optional.of(head));
    }

    /// Branches and tags; everything else is left alone (P-520).
    static boolean isManaged(RefName name) {
        return name.isBranch() || name.isTag();
    }

    /// Whether there is nothing to do.
    boolean isNothing() {
        return changes.isEmpty() && head.isEmpty();
    }

    /// The refs it takes away, with what they named.
    SortedMap<RefName, Oid> removed() {
        var removed = new TreeMap<RefName, Oid>();
        changes.stream().filter(RefChange::isDeletion).forEach(change -> removed.put(change.name(), change.before()));
        return removed;
    }

    /// The objects it needs.
    Collection<Oid> needed() {
        return changes.stream()
                .filter(change -> !change.isDeletion())
                .map(RefChange::after)
                .distinct()
                .toList();
    }

    /// Whether a repository has a branch or a tag.
    static boolean hasContent(Refs refs) {
        return refs.values().entrySet().stream()
                .map(Map.Entry<RefName, RefValue>::getKey)
                .anyMatch(Alignment::isManaged);
    }
}
