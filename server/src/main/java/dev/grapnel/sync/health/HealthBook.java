package dev.grapnel.sync.health;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.store.row.RelayHealth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiConsumer;

/// The records of all relays that are followed, and for a week of those that were (R4.35): taking a relay's name out
/// of an announcement and putting it back resets nothing. Bounded: beyond its size it forgets who has been unwanted
/// longest.
public final class HealthBook {
    private static final int RECORDS_MAX = 10_000;

    private final int max;
    private final HealthConfig config;
    private final SequencedMap<RemoteUrl, RelayRecord> wanted = new LinkedHashMap<>();

    /// In the order in which they ceased to be wanted.
    private final SequencedMap<RemoteUrl, Remembered> remembered = new LinkedHashMap<>();

    /// Of records that are no more.
    private long changesBefore;

    private long writtenChanges;

    private record Remembered(RelayRecord record, Instant wantedAt) {}

    public HealthBook(HealthConfig config) {
        this(config, RECORDS_MAX);
    }

    HealthBook(HealthConfig config, int max) {
        this.max = max;
        this.config = config;
    }

    /// The record of a relay, if there is something to know.
    public Optional<RelayRecord> find(RemoteUrl relay) {
        return Optional.ofNullable(wanted.get(relay))
                .or(() -> Optional.ofNullable(remembered.get(relay)).map(Remembered::record));
    }

    /// The record of a relay that is followed from now on.
    RelayRecord follow(RemoteUrl relay) {
        var known = remembered.remove(relay);
        if (known != null) {
            changesBefore++;
        }
        wanted.putIfAbsent(relay, known == null ? new RelayRecord() : known.record());
        evict();
        return Objects.requireNonNull(wanted.get(relay));
    }

    /// Nobody wants the relay any more; what is known is kept for a while.
    void leave(RemoteUrl relay, long nanos, Instant wall) {
        var record = wanted.remove(relay);
        if (record == null) {
            return;
        }
        if (record.isBlank(nanos)) {
            changesBefore += record.changes() + 1;
        } else {
            changesBefore++;
            remembered.put(relay, new Remembered(record, wall));
            evict();
        }
    }

    private void evict() {
        while (!remembered.isEmpty() && wanted.size() + remembered.size() > max) {
            forget(remembered.pollFirstEntry().getValue());
        }
    }

    private void forget(Remembered old) {
        changesBefore += old.record().changes() + 1;
    }

    /// Forgets who has been unwanted for a week.
    void prune(Instant wall) {
        Iterator<Remembered> all = remembered.values().iterator();
        while (all.hasNext()) {
            var next = all.next();
            // the clock may be set, so none stands for those behind it
            if (!wall.isBefore(next.wantedAt().plus(WrittenRecord.MEMORY))) {
                all.remove();
                forget(next);
            }
        }
    }

    /// Lets links that live long enough clear what was before, also in what is written down.
    void settle(long nanos) {
        wanted.values().forEach(record -> record.settle(nanos));
    }

    /// How many there are.
    public int size() {
        return wanted.size() + remembered.size();
    }

    /// Whether there is something that was not written down.
    boolean isChanged() {
        return changes() != writtenChanges;
    }

    private long changes() {
        long sum = changesBefore;
        for (var record : wanted.values()) {
            sum += record.changes();
        }
        for (var old : remembered.values()) {
            sum += old.record().changes();
        }
        return sum;
    }

    /// All of it, to be written down.
    byte[] encode(Moment now, Instant wall) {
        var writing = new WrittenRecord(now, wall, config);
        var rows = new ArrayList<RelayHealth>(size());
        forEach(wall, (relay, entry) -> {
            if (!entry.record().isBlank(now.nanos())) {
                rows.add(writing.write(relay, entry.record(), entry.wantedAt()));
            }
        });
        writtenChanges = changes();
        return HealthFile.encode(rows);
    }

    /// That was not written after all.
    void notWritten() {
        writtenChanges = -1;
    }

    private void forEach(Instant wall, BiConsumer<RemoteUrl, Remembered> visitor) {
        remembered.forEach(visitor);
        wanted.forEach((relay, record) -> visitor.accept(relay, new Remembered(record, wall)));
    }

    /// Takes back what was written down, in an empty book. Nobody is wanted then.
    ///
    /// @return why nothing could be taken back, if so
    Optional<String> restore(byte[] bytes, Moment now, Instant wall) {
        return switch (HealthFile.decode(bytes)) {
            case Parsed.Invalid<List<RelayHealth>>(var reason) -> Optional.of(reason);
            case Parsed.Valid<List<RelayHealth>>(var rows) -> {
                var reading = new WrittenRecord(now, wall, config);
                rows.stream()
                        .flatMap(row -> reading.read(row).stream())
                        .forEach(read -> remembered.put(read.relay(), new Remembered(read.record(), read.wantedAt())));
                evict();
                writtenChanges = changes();
                yield Optional.empty();
            }
        };
    }
}
