package dev.grapnel.purgatory;

import dev.grapnel.git.repository.Staging;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings what was pushed before its event and the rows that speak of it together again (P-244): a push
/// that did not end is forgotten, a row without its objects too, and objects without a row are deleted.
final class StagingCheck {
    private static final Logger LOG = LoggerFactory.getLogger(StagingCheck.class);

    private final EventStore store;
    private final Staging staging;
    private final Happenings happenings;

    StagingCheck(EventStore store, Staging staging, Happenings happenings) {
        this.store = store;
        this.staging = staging;
        this.happenings = happenings;
    }

    void run() throws IOException {
        var areas = Set.copyOf(staging.list());
        var named = new HashSet<String>();
        var changes = store.read(view -> {
            named.clear();
            var changed = new ArrayList<Row>();
            for (var table : List.of(Table.PLACEHOLDERS, Table.HELD_PROPOSALS)) {
                if (view.count(table) > 0) {
                    view.forEachRow(table, Bytes.EMPTY, row -> {
                        var uploads = uploadsOf(row);
                        var kept = sound(uploads, areas);
                        kept.forEach(upload -> named.add(upload.area().text()));
                        if (kept.size() < uploads.size()) {
                            changed.add(row);
                        }
                    });
                }
            }
            return changed;
        });
        if (!changes.isEmpty()) {
            LOG.warn("uploads that did not end, or whose objects are gone, were forgotten rows={}", changes.size());
            store.write(Urgency.WAITING, 0, transaction -> {
                        changes.forEach(row -> mend(row, areas, transaction));
                        happenings.note(new Happening.UploadsForgotten(countLost(changes, areas)));
                        return changes.size();
                    })
                    .join();
        }
        for (var area : areas) {
            if (!named.contains(area)) {
                staging.delete(area);
            }
        }
    }

    private static List<Upload> uploadsOf(Row row) {
        return switch (row) {
            case Placeholder placeholder -> placeholder.pushedTo();
            case HeldProposal proposal -> proposal.pushedTo();
            default -> throw new IllegalStateException("no uploads in " + row.table());
        };
    }

    private static List<Upload> sound(List<Upload> uploads, Set<String> areas) {
        return uploads.stream()
                .filter(upload ->
                        !upload.receiving() && areas.contains(upload.area().text()))
                .toList();
    }

    /// Refs of one push share an area.
    private static int countLost(List<Row> rows, Set<String> areas) {
        return (int) rows.stream()
                .flatMap(row -> uploadsOf(row).stream())
                .filter(upload -> sound(List.of(upload), areas).isEmpty())
                .map(Upload::area)
                .distinct()
                .count();
    }

    private static void mend(Row row, Set<String> areas, StoreTransaction transaction) {
        var kept = sound(uploadsOf(row), areas);
        switch (row) {
            case HeldProposal proposal -> transaction.put(proposal.withPushedTo(kept));
            case Placeholder placeholder when !kept.isEmpty() -> transaction.put(placeholder.withPushedTo(kept));
            default -> transaction.remove(row.table(), row.key());
        }
    }
}
