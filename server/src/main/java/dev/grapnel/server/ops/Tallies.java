package dev.grapnel.server.ops;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counters of sync, kept by relay so that those of a relay go away with it at once. Counted on the loop, read by
/// anybody.
final class Tallies {
    /// For what belongs to no relay.
    private static final String NOBODY = "";

    /// A counter.
    ///
    /// @param labels names of its labels after that of the relay
    record Family(String name, String help, List<String> labels) {
        Family(String name, String help, String... labels) {
            this(name, help, List.of(labels));
        }
    }

    private record Series(Family family, List<String> values) {}

    private final List<Family> families = new ArrayList<>();
    private final Map<String, Map<Series, LongAdder>> relays = new ConcurrentHashMap<>();

    /// A counter whose name is shown from now on, also while there is nothing to count. Before anybody counts.
    Family family(String name, String help, String... labels) {
        var family = new Family("ngit_sync_" + name, help, labels);
        families.add(family);
        return family;
    }

    LongAdder at(Family family, String... values) {
        return at(NOBODY, family, List.of(values));
    }

    LongAdder atRelay(String relay, Family family, String... values) {
        return at(relay, family, List.of(values));
    }

    private LongAdder at(String relay, Family family, List<String> values) {
        return relays.computeIfAbsent(relay, _ -> new ConcurrentHashMap<>())
                .computeIfAbsent(new Series(family, values), _ -> new LongAdder());
    }

    /// A relay is gone.
    void remove(String relay) {
        relays.remove(relay);
    }

    private record Sample(List<String> labels, long value) {}

    void write(SampleText text) {
        var samples = new LinkedHashMap<Family, List<Sample>>();
        families.forEach(family -> samples.put(family, new ArrayList<>()));
        relays.forEach((relay, series) ->
                series.forEach((one, count) -> samples.computeIfAbsent(one.family(), _ -> new ArrayList<>())
                        .add(new Sample(labels(relay, one), count.sum()))));
        samples.forEach((family, all) -> {
            text.head(SampleText.Type.COUNTER, family.name(), family.help());
            all.sort(Comparator.comparing(sample -> String.join("\n", sample.labels())));
            all.forEach(sample -> text.sample(family.name(), sample.labels(), (double) sample.value()));
        });
    }

    private static List<String> labels(String relay, Series series) {
        var labels = new ArrayList<String>();
        if (!relay.equals(NOBODY)) {
            labels.addAll(List.of("relay", relay));
        }
        for (int i = 0; i < series.values().size(); i++) {
            labels.add(series.family().labels().get(i));
            labels.add(series.values().get(i));
        }
        return labels;
    }
}
