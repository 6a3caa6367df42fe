package dev.grapnel.git.maintenance;

import java.util.Comparator;
import java.util.List;

/// Which packs become one.
///
/// Afterwards each pack is at least twice as large as all smaller ones together would have to be to join
/// it, so their number grows with the logarithm of the whole. Whatever is rewritten ends up in a pack at
/// least half again as large, so a pushed byte is rewritten only as often as that, too: a small push never
/// rewrites a large repository.
///
/// @param packs those that are merged, the smallest first; empty if nothing is to be done, never just one
public record MergePlan(List<PackSize> packs) {
    private static final int FACTOR = 2;

    public MergePlan {
        packs = List.copyOf(packs);
    }

    /// Decides.
    ///
    /// @param packs that may be merged
    public static MergePlan of(List<PackSize> packs) {
        var sorted = packs.stream()
                .sorted(Comparator.comparingLong(PackSize::bytes).thenComparing(PackSize::name))
                .toList();
        int end = 0;
        for (int i = sorted.size() - 1; i > 0 && end == 0; i--) {
            if (sorted.get(i).bytes() < FACTOR * sorted.get(i - 1).bytes()) {
                end = i + 1;
            }
        }
        long merged = sorted.subList(0, end).stream().mapToLong(PackSize::bytes).sum();
        while (end > 0 && end < sorted.size() && sorted.get(end).bytes() < FACTOR * merged) {
            merged += sorted.get(end).bytes();
            end++;
        }
        return new MergePlan(sorted.subList(0, end));
    }

    /// Whether all is well as it is.
    public boolean isEmpty() {
        return packs.isEmpty();
    }

    /// What has to be read, and at most be written.
    public long bytes() {
        return packs.stream().mapToLong(PackSize::bytes).sum();
    }
}
