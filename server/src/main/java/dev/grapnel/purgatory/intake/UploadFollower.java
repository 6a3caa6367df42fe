package dev.grapnel.purgatory.intake;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Happening;
import dev.grapnel.purgatory.StagingOutcome;
import dev.grapnel.purgatory.intake.Areas.RowName;
import dev.grapnel.store.Removal;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Terms;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.table.Table;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Keeps [Areas] equal to what durable rows say. Used by the store's writer alone.
final class UploadFollower {
    private final Areas areas;
    private final Runnable removal;
    private final Map<RowName, List<Upload>> changes = new LinkedHashMap<>();
    private final Set<EventId> arrived = new HashSet<>();
    private final Map<EventId, String> causes = new HashMap<>();
    private final Set<RepositoryAddress> closing = new TreeSet<>();
    private boolean isLoaded;

    /// @param removal looks whether areas are to be deleted; must not wait
    UploadFollower(Areas areas, Runnable removal) {
        this.areas = areas;
        this.removal = removal;
    }

    void load(Map<RowName, List<Upload>> rows) {
        areas.apply(rows, Set.of(), Map.of());
        isLoaded = true;
    }

    /// Tells what has happened to whom, before the commit is told.
    void accept(Happening happening) {
        switch (happening) {
            case Happening.Released(var row, var _) -> note(row, StagingOutcome.PROMOTED.word());
            case Happening.Dropped(var row, var reason) -> note(row, reason.word());
            case Happening.UploadExpired(var row) -> causes.put(row.id(), StagingOutcome.EXPIRED.word());
            case Happening.Mismatched(var row, var _) -> causes.put(row.id(), StagingOutcome.MISMATCH.word());
            case Happening.NowHeld _,
                    Happening.SoftExpired _,
                    Happening.Recorded _,
                    Happening.Revived _,
                    Happening.Offline _,
                    Happening.Restored _,
                    Happening.UploadsForgotten _ -> {
                // no upload goes by that
            }
        }
    }

    private void note(Held row, String cause) {
        if (row instanceof HeldProposal) {
            causes.put(row.event().id(), cause);
        }
    }

    private void put(Row row) {
        if (isLoaded && row instanceof Placeholder placeholder) {
            changes.put(new RowName(placeholder.id(), true), placeholder.pushedTo());
        }
    }

    private void removed(Table table, Bytes key) {
        if (isLoaded && table == Table.PLACEHOLDERS) {
            changes.put(new RowName(EventId.of(key.toArray(), 0), true), List.of());
        }
    }

    private void held(Held row) {
        if (isLoaded && row instanceof HeldProposal proposal) {
            changes.put(new RowName(proposal.event().id(), false), proposal.pushedTo());
            arrived.add(proposal.event().id());
        }
    }

    private void dropped(Held row) {
        if (isLoaded && row instanceof HeldProposal proposal) {
            changes.put(new RowName(proposal.event().id(), false), List.of());
            arrived.remove(proposal.event().id());
        }
    }

    /// What went into a repository ends with it (A11).
    private void amended(Table table, Bytes key, Terms terms) {
        boolean ends = terms.phase().equals(Optional.of(HeldAnnouncement.Phase.SOFT_EXPIRED));
        if (isLoaded && ends && table == Table.HELD_ANNOUNCEMENTS) {
            closing.add(RowKeys.parseRepository(key));
        }
    }

    private void conclude(StoreTransaction transaction) {
        var repositories = List.copyOf(closing);
        closing.clear();
        for (var repository : repositories) {
            var rows = new HashSet<>(areas.rowsOf(repository));
            rows.addAll(changes.keySet());
            rows.forEach(row -> endUploads(row, repository, transaction));
        }
    }

    private static void endUploads(RowName name, RepositoryAddress repository, StoreTransaction transaction) {
        if (name.isPlaceholder()) {
            transaction
                    .findRow(Table.PLACEHOLDERS, RowKeys.event(name.id()))
                    .map(row -> (Placeholder) row)
                    .ifPresent(row -> UploadRows.keep(row, others(row.pushedTo(), repository), transaction));
        } else if (transaction.findHeld(name.id()).orElse(null) instanceof HeldProposal row) {
            UploadRows.keep(row, others(row.pushedTo(), repository), transaction);
        }
    }

    private static List<Upload> others(List<Upload> uploads, RepositoryAddress repository) {
        return uploads.stream()
                .filter(upload -> !upload.repository().equals(repository))
                .toList();
    }

    private void committed() {
        if (!changes.isEmpty()) {
            areas.apply(changes, arrived, causes);
            removal.run();
        }
        forget();
    }

    private void forget() {
        changes.clear();
        arrived.clear();
        causes.clear();
        closing.clear();
    }

    /// Both: what this one adds to a transaction the other sees, and why something goes the other says first.
    StoreFollower before(StoreFollower other) {
        return new StoreFollower() {
            @Override
            public void served(Event event) {
                other.served(event);
            }

            @Override
            public void left(Event event, Removal.Reason reason) {
                other.left(event, reason);
            }

            @Override
            public void held(Held row) {
                UploadFollower.this.held(row);
                other.held(row);
            }

            @Override
            public void amended(EventId id, Table table, Bytes key, Terms terms) {
                UploadFollower.this.amended(table, key, terms);
                other.amended(id, table, key, terms);
            }

            @Override
            public void dropped(Held row) {
                UploadFollower.this.dropped(row);
                other.dropped(row);
            }

            @Override
            public void put(Row row) {
                UploadFollower.this.put(row);
                other.put(row);
            }

            @Override
            public void removed(Table table, Bytes key) {
                UploadFollower.this.removed(table, key);
                other.removed(table, key);
            }

            @Override
            public void conclude(StoreTransaction transaction) {
                UploadFollower.this.conclude(transaction);
                other.conclude(transaction);
            }

            @Override
            public void committed() {
                other.committed();
                UploadFollower.this.committed();
            }

            @Override
            public void abandoned() {
                UploadFollower.this.forget();
                other.abandoned();
            }
        };
    }
}
