package dev.grapnel.purgatory.intake;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.AreaName;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The rows that stand for uploads: a placeholder while the event is unknown, the held event itself afterwards.
final class UploadRows {
    private UploadRows() {}

    static Optional<Placeholder> findPlaceholder(EventId id, StoreView view) {
        return view.findRow(Table.PLACEHOLDERS, RowKeys.event(id)).map(row -> (Placeholder) row);
    }

    static Optional<HeldProposal> findHeld(EventId id, StoreView view) {
        return view.findHeld(id).filter(row -> row instanceof HeldProposal).map(row -> (HeldProposal) row);
    }

    /// Whether a repository has got this already.
    static boolean hasComplete(List<Upload> uploads, RepositoryAddress repository) {
        return uploads.stream()
                .anyMatch(upload -> !upload.receiving() && upload.repository().equals(repository));
    }

    /// Leaves these uploads in a row; a placeholder without any goes.
    static void keep(Placeholder row, List<Upload> uploads, StoreTransaction transaction) {
        if (uploads.isEmpty()) {
            transaction.remove(row.table(), row.key());
        } else if (!uploads.equals(row.pushedTo())) {
            transaction.put(row.withPushedTo(uploads));
        }
    }

    static void keep(HeldProposal row, List<Upload> uploads, StoreTransaction transaction) {
        if (!uploads.equals(row.pushedTo())) {
            transaction.put(row.withPushedTo(uploads));
        }
    }

    /// Says that something comes for an event nobody has seen.
    static void reserve(EventId id, Oid commit, Upload upload, Instant now, Instant end, StoreTransaction transaction) {
        var row = findPlaceholder(id, transaction);
        transaction.put(row.map(found -> found.withPushedTo(with(found.pushedTo(), upload)))
                .orElseGet(() -> new Placeholder(id, commit, now, end, List.of(upload))));
    }

    /// Says that it is here. Its event may have come meanwhile: then that one keeps it, or is served and needs
    /// nothing any more.
    ///
    /// @param end until when it waits; one that waits already does not wait for longer (R9)
    static void confirm(EventId id, Oid commit, Upload upload, Instant now, Instant end, StoreTransaction transaction) {
        var held = findHeld(id, transaction);
        boolean isKnown = held.isPresent() || transaction.isServed(id);
        if (isKnown) {
            findPlaceholder(id, transaction)
                    .ifPresent(row -> keep(row, without(row.pushedTo(), upload.area()), transaction));
            held.ifPresent(row -> keep(row, confirmed(row.pushedTo(), upload), transaction));
            return;
        }
        var row = findPlaceholder(id, transaction)
                .orElseGet(() -> new Placeholder(id, commit, now, end, List.of(upload)));
        var uploads = confirmed(row.pushedTo(), upload);
        if (row.isReceiving()) {
            transaction.put(row.withExpiry(end).withPushedTo(uploads));
        } else {
            keep(row, uploads, transaction);
        }
    }

    /// Takes back what was said.
    static void cancel(EventId id, AreaName area, StoreTransaction transaction) {
        findPlaceholder(id, transaction).ifPresent(row -> keep(row, without(row.pushedTo(), area), transaction));
        findHeld(id, transaction).ifPresent(row -> keep(row, without(row.pushedTo(), area), transaction));
    }

    private static List<Upload> confirmed(List<Upload> uploads, Upload upload) {
        var others = without(uploads, upload.area());
        return hasComplete(others, upload.repository()) ? others : with(others, upload.confirmed());
    }

    static List<Upload> with(List<Upload> uploads, Upload upload) {
        return Stream.concat(uploads.stream(), Stream.of(upload)).toList();
    }

    private static List<Upload> without(List<Upload> uploads, AreaName area) {
        return uploads.stream().filter(upload -> !upload.area().equals(area)).toList();
    }
}
