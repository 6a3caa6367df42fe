package dev.grapnel.purgatory.intake;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.reconcile.StagedObjects;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What was pushed and nobody has signed, as rows tell it while no server runs.
public final class StoredUploads implements StagedObjects {
    private final Map<Identifier, List<Area>> areas = new TreeMap<>();

    private StoredUploads() {}

    /// Reads all rows.
    public static StagedObjects read(StoreView view) {
        var found = new StoredUploads();
        for (var table : List.of(Table.PLACEHOLDERS, Table.HELD_PROPOSALS)) {
            view.forEachRow(table, Bytes.EMPTY, row -> {
                if (row instanceof Placeholder placeholder) {
                    found.add(placeholder.id(), placeholder.pushedTo());
                } else if (row instanceof HeldProposal proposal) {
                    found.add(proposal.event().id(), proposal.pushedTo());
                }
            });
        }
        return found;
    }

    private void add(EventId event, List<Upload> uploads) {
        for (var upload : uploads) {
            if (!upload.receiving()) {
                areas.computeIfAbsent(upload.repository().identifier(), _ -> new ArrayList<>())
                        .add(new Area(upload.area().text(), upload.repository(), event));
            }
        }
    }

    @Override
    public List<Area> of(Identifier identifier) {
        return List.copyOf(areas.getOrDefault(identifier, List.of()));
    }
}
