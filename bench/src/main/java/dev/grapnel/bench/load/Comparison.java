package dev.grapnel.bench.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Rounds of several targets beside each other. A ratio compares two targets within one round, when the machine
/// was about as busy for both, and only then are the ratios of all rounds looked at together.
final class Comparison {
    private final Map<String, List<Map<String, Double>>> rounds = new LinkedHashMap<>();

    void add(String target, Map<String, Double> figures) {
        rounds.computeIfAbsent(target, _ -> new ArrayList<>()).add(new LinkedHashMap<>(figures));
    }

    /// In the order in which they came.
    List<String> targets() {
        return List.copyOf(rounds.keySet());
    }

    /// All names, in the order of their first appearance.
    Set<String> figures() {
        var names = new LinkedHashSet<String>();
        rounds.values().forEach(all -> all.forEach(round -> names.addAll(round.keySet())));
        return names;
    }

    /// A target's figure over its rounds, if any of them has it.
    Optional<Spread> spread(String target, String figure) {
        return spread(of(target).stream()
                .flatMap(round -> Optional.ofNullable(round.get(figure)).stream())
                .toList());
    }

    /// A target's figure in parts of the first target's, if any round has both.
    Optional<Spread> ratio(String target, String figure) {
        var first = of(targets().getFirst());
        var other = of(target);
        return spread(IntStream.range(0, Math.min(first.size(), other.size()))
                .mapToObj(round ->
                        ratio(other.get(round).get(figure), first.get(round).get(figure)))
                .flatMap(Optional::stream)
                .toList());
    }

    private static Optional<Double> ratio(@Nullable Double part, @Nullable Double whole) {
        return part == null || whole == null || whole == 0 ? Optional.empty() : Optional.of(part / whole);
    }

    private List<Map<String, Double>> of(String target) {
        return rounds.getOrDefault(target, List.of());
    }

    private static Optional<Spread> spread(List<Double> values) {
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }
}
