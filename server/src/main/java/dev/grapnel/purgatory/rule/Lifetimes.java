package dev.grapnel.purgatory.rule;

import dev.grapnel.purgatory.Effect;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Timeline;
import java.util.List;

/// No held announcement ends before a state does that it authorises, nor does that of the state's author
/// (P-215). An empty state keeps nothing alive.
final class Lifetimes {
    private Lifetimes() {}

    /// What makes them last until then; whose repository is gone stays without.
    static List<Effect> extend(List<Announced> announcements, long deadline, Timeline time) {
        return announcements.stream()
                .flatMap(entry -> entry.held().stream())
                .filter(held -> held.deadline() < deadline)
                .map(held -> (Effect) new Effect.Amend(held.voice().version().id(), held.terms(deadline, time)))
                .toList();
    }
}
