package dev.grapnel.purgatory.legacy;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/// How many entries of each store had which fate.
///
/// @param entries zeros are left out
/// @param uploadsDropped pushes of restored pull requests that are not known here any more: their objects are in
///     no staging area, or they were of another commit
public record ImportCounts(Map<OldStore, Map<Fate, Integer>> entries, int uploadsDropped) {
    public ImportCounts {
        var copy = new EnumMap<OldStore, Map<Fate, Integer>>(OldStore.class);
        entries.forEach((store, fates) -> copy.put(store, Map.copyOf(fates)));
        entries = Collections.unmodifiableMap(copy);
    }

    /// Of one store.
    public int of(OldStore store, Fate fate) {
        return entries.getOrDefault(store, Map.of()).getOrDefault(fate, 0);
    }

    /// Of all stores.
    public int of(Fate fate) {
        return entries.values().stream()
                .mapToInt(fates -> fates.getOrDefault(fate, 0))
                .sum();
    }

    /// Of one store, for `purgatory_restore_entries`.
    public int of(OldStore store, String label) {
        return entries.getOrDefault(store, Map.of()).entrySet().stream()
                .filter(entry -> entry.getKey().label().equals(label))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /// For the log: `state_restored=3 state_served=1` and so on.
    @Override
    public String toString() {
        var text = new StringJoiner(" ");
        entries.forEach((store, fates) -> fates.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(fate -> text.add(
                        store.label() + "_" + fate.getKey().name().toLowerCase(Locale.ROOT) + "=" + fate.getValue())));
        return text.add("uploads_dropped=" + uploadsDropped).toString();
    }

    /// Counts one by one.
    static final class Tally {
        private final Map<OldStore, Map<Fate, Integer>> entries = new EnumMap<>(OldStore.class);
        private int uploadsDropped;

        void add(OldStore store, Fate fate) {
            entries.computeIfAbsent(store, _ -> new EnumMap<>(Fate.class)).merge(fate, 1, Integer::sum);
        }

        void addAll(ImportCounts other) {
            other.entries.forEach((store, fates) ->
                    fates.forEach((fate, count) -> entries.computeIfAbsent(store, _ -> new EnumMap<>(Fate.class))
                            .merge(fate, count, Integer::sum)));
            uploadsDropped += other.uploadsDropped;
        }

        void dropUploads(int count) {
            uploadsDropped += count;
        }

        ImportCounts counts() {
            return new ImportCounts(entries, uploadsDropped);
        }
    }
}
