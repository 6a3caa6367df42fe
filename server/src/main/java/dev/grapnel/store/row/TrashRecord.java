package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The branches and tags that an empty state removed from a repository (P-527, service 7.3.5). Keeps their
/// objects; restores nothing by itself.
///
/// @param stateId the empty state
/// @param refs what was removed
/// @param head where HEAD pointed
/// @param alsoKept objects of older records that were merged into this one
/// @param until when the objects may go
public record TrashRecord(
        RepositoryAddress repository,
        EventId stateId,
        SortedMap<RefName, Oid> refs,
        Optional<RefName> head,
        SortedSet<Oid> alsoKept,
        Instant removedAt,
        Instant until)
        implements Row {
    /// @throws IllegalArgumentException if something else than branches and tags was removed
    public TrashRecord {
        refs = Collections.unmodifiableSortedMap(new TreeMap<>((Map<RefName, Oid>) refs));
        alsoKept = Collections.unmodifiableSortedSet(new TreeSet<>((Collection<Oid>) alsoKept));
        removedAt = Millis.of(removedAt);
        until = Millis.of(until);
        if (!refs.keySet().stream().allMatch(ref -> ref.isBranch() || ref.isTag())) {
            throw new IllegalArgumentException("only branches and tags are removed by a state");
        }
    }

    /// This record with the objects of an older one, which can then go.
    public TrashRecord absorb(TrashRecord older) {
        var kept = new TreeSet<>(alsoKept);
        kept.addAll(older.alsoKept);
        kept.addAll(older.refs.values());
        var later = older.until.isAfter(until) ? older.until : until;
        return new TrashRecord(repository, stateId, refs, head, kept, removedAt, later);
    }

    /// Whether all of these objects are kept by it.
    public boolean keeps(Collection<Oid> objects) {
        return objects.stream().allMatch(id -> alsoKept.contains(id) || refs.containsValue(id));
    }

    @Override
    public Table table() {
        return Table.TRASH;
    }

    @Override
    public Bytes key() {
        return RowKeys.trash(repository, stateId);
    }
}
