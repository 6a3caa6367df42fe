package dev.grapnel.purgatory.legacy;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.purgatory.legacy.ImportCounts.Tally;
import dev.grapnel.purgatory.legacy.LegacyEntry.Pushed;
import dev.grapnel.purgatory.legacy.LegacyEntry.Remembered;
import dev.grapnel.purgatory.legacy.LegacyEntry.Unfit;
import dev.grapnel.purgatory.legacy.LegacyEntry.Waiting;
import dev.grapnel.purgatory.legacy.Survey.Findings;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The last walk, inside one transaction: rows for all that can be used.
///
/// It reads the file on the store's writer, which nobody else needs before the server serves; collecting the rows
/// first would keep them all in memory. Signatures are not looked at again: the file is the one that was
/// surveyed, or the transaction is undone.
final class RowWriter implements FilePass.Visitor {
    private final StoreTransaction transaction;
    private final EntryReader reader;
    private final Findings findings;
    private final Map<Integer, List<Upload>> uploads;
    private final OldTimes times;
    private final ImportRules rules;
    private final Tally tally = new Tally();
    private long bytes;

    private RowWriter(
            StoreTransaction transaction,
            EntryReader reader,
            Findings findings,
            Map<Integer, List<Upload>> uploads,
            OldTimes times,
            ImportRules rules) {
        this.transaction = transaction;
        this.reader = reader;
        this.findings = findings;
        this.uploads = uploads;
        this.times = times;
        this.rules = rules;
    }

    /// Writes the rows and says what became of every entry.
    ///
    /// @throws DamagedFile if the file is no longer what was surveyed
    static ImportCounts write(
            Path file,
            StoreTransaction transaction,
            EntryReader reader,
            Findings findings,
            Map<Integer, List<Upload>> uploads,
            OldTimes times,
            ImportRules rules)
            throws IOException {
        var writer = new RowWriter(transaction, reader, findings, uploads, times, rules);
        if (!FilePass.walk(file, writer).equals(findings.summary())) {
            throw changed();
        }
        writer.tally.addAll(findings.counts());
        return writer.tally.counts();
    }

    private static DamagedFile changed() {
        return new DamagedFile("it changed while it was read, so the existing server may still be running");
    }

    @Override
    public void entry(int number, OldMap map, String key, Optional<byte[]> json) throws IOException {
        if (!findings.usable().get(number)) {
            return;
        }
        var entry = reader.read(map, key, json.orElseThrow(RowWriter::changed));
        var fate = switch (entry) {
            case Waiting waiting -> hold(number, waiting);
            case Pushed pushed -> keep(number, pushed);
            case Remembered remembered -> remember(remembered);
            case Unfit _ -> throw changed();
        };
        tally.add(entry.store(), fate);
    }

    private Fate hold(int number, Waiting waiting) {
        var id = waiting.event().id();
        boolean isHeld = transaction.findHeld(id).isPresent();
        if (!isHeld && hasExpiredSince(id)) {
            return Fate.SETTLED;
        }
        bytes += waiting.event().json().length(); // held or not, so that a repeated import takes the same ones
        boolean isNew = !isHeld && !transaction.isServed(id);
        if (isNew && (bytes > rules.bytesMax() || isFull(waiting.store()))) {
            return Fate.NO_ROOM;
        }
        var deadline = times.deadline(waiting.expiresOffset());
        var areas = uploads.getOrDefault(number, List.of());
        var row = waiting.row(times.heldSince(waiting.createdOffset()), deadline, areas);
        var fate = switch (transaction.hold(row)) {
            case SaveOutcome.Waiting _ -> waitingUntil(deadline);
            case SaveOutcome.Known(var held) -> held ? waitingUntil(deadline) : Fate.SERVED;
            case SaveOutcome.Refused _ -> Fate.SETTLED;
            case SaveOutcome.Served _, SaveOutcome.Gated _ ->
                throw new IllegalStateException("what is to be held is held or refused");
        };
        if (fate == Fate.RESTORED || fate == Fate.OVERDUE) {
            tally.dropUploads(waiting.pushes().size() + waiting.pushesDropped() - areas.size());
        }
        return fate;
    }

    /// A placeholder stands for objects in an area (P-240); without one there is nothing it could stand for, and
    /// it would be dropped at the next start (P-244). The objects stay in the old repository's ref, where adoption
    /// finds them.
    private Fate keep(int number, Pushed pushed) {
        var areas = uploads.getOrDefault(number, List.of());
        if (areas.isEmpty()) {
            return Fate.WITHOUT_AREA;
        }
        if (transaction.isServed(pushed.id())) {
            return Fate.SERVED;
        }
        if (transaction.findHeld(pushed.id()).isPresent()) {
            return Fate.SETTLED;
        }
        var deadline = times.deadline(pushed.expiresOffset());
        var row =
                new Placeholder(pushed.id(), pushed.commit(), times.heldSince(pushed.createdOffset()), deadline, areas);
        return putNew(OldStore.PLACEHOLDER, row) ? waitingUntil(deadline) : Fate.NO_ROOM;
    }

    /// The file does not say of which kind an expired event was. The kind decides nothing, an id is refused
    /// whatever it was; so all are taken for states, which most of them are.
    private Fate remember(Remembered remembered) {
        var id = remembered.id();
        if (transaction.isServed(id)) {
            return Fate.SERVED;
        }
        if (transaction.findHeld(id).isPresent()) {
            return Fate.SETTLED;
        }
        var expiredAt = times.expired(remembered.expiredAt());
        if (!expiredAt.plus(rules.expiredMemory()).isAfter(times.now())) {
            return Fate.FORGOTTEN;
        }
        var row = new ExpiredEvent(id, Kinds.STATE, expiredAt, expiredAt, 0, false, Optional.empty());
        return putNew(OldStore.EXPIRED, row) ? Fate.RESTORED : Fate.NO_ROOM;
    }

    /// Writes a row unless there is one, which may say more than the file. False if there is no room.
    private boolean putNew(OldStore store, Row row) {
        if (transaction.findRow(row.table(), row.key()).isPresent()) {
            return true;
        }
        if (isFull(store)) {
            return false;
        }
        transaction.put(row);
        return true;
    }

    /// Whether its time ended here, after the file was saved: then this file was imported before, but could not be
    /// renamed.
    private boolean hasExpiredSince(EventId id) {
        return transaction
                .findRow(Table.EXPIRED_EVENTS, RowKeys.event(id))
                .filter(row -> row instanceof ExpiredEvent expired
                        && expired.expiredAt().isAfter(times.savedAt()))
                .isPresent();
    }

    private boolean isFull(OldStore store) {
        return transaction.count(store.table()) >= rules.most(store);
    }

    private Fate waitingUntil(Instant deadline) {
        return deadline.isAfter(times.now()) ? Fate.RESTORED : Fate.OVERDUE;
    }
}
