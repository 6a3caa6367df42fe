package dev.grapnel.sync.received;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// Everything that was brought of one id while nobody had decided about it (R7.11). The id is the hash of all but the
/// signature, so copies that differ do so by that alone. A liar can make any number of those: what is wrong with one of
/// them is told to those who brought the same, and nobody walks the rest.
final class Copies {
    private final Map<String, List<Delivery>> bySignature = new LinkedHashMap<>();
    /// How many are of each relay.
    private final Map<Integer, Integer> relays = new LinkedHashMap<>();

    Copies(Delivery first) {
        add(first);
    }

    void add(Delivery delivery) {
        bySignature
                .computeIfAbsent(delivery.event().signature().toString(), _ -> new ArrayList<>())
                .add(delivery);
        relays.merge(delivery.relay(), 1, Integer::sum);
    }

    boolean isEmpty() {
        return bySignature.isEmpty();
    }

    /// The one to be judged.
    Delivery first() {
        return bySignature.values().iterator().next().getFirst();
    }

    /// The relays that brought any.
    Set<Integer> relays() {
        return relays.keySet();
    }

    // ---- what is taken begins with the first one

    /// Takes those that are the same as the first one, to the last bit.
    List<Delivery> takeSame() {
        var all = bySignature.values().iterator();
        var same = all.next();
        all.remove();
        same.forEach(this::discount);
        return same;
    }

    /// Takes those of one relay.
    List<Delivery> takeOf(int relay) {
        return take(delivery -> delivery.relay() == relay);
    }

    List<Delivery> takeAll() {
        return take(_ -> true);
    }

    private List<Delivery> take(Predicate<Delivery> which) {
        var taken = new ArrayList<Delivery>();
        bySignature
                .values()
                .forEach(same -> same.removeIf(delivery -> {
                    boolean isTaken = which.test(delivery);
                    if (isTaken) {
                        taken.add(delivery);
                    }
                    return isTaken;
                }));
        bySignature.values().removeIf(List::isEmpty);
        taken.forEach(this::discount);
        return taken;
    }

    private void discount(Delivery taken) {
        relays.computeIfPresent(taken.relay(), (_, count) -> count == 1 ? null : count - 1);
    }
}
