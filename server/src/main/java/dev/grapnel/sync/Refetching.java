package dev.grapnel.sync;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.received.Refetches;
import dev.grapnel.sync.world.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/// Gathers events that are wanted again, so that each relay is asked once for all of a turn.
final class Refetching implements Refetches {
    private final Scheduler loop;
    private final IntFunction<Optional<RelayEntry>> entries;
    private final Map<Integer, List<EventId>> wanted = new LinkedHashMap<>();

    Refetching(Scheduler loop, IntFunction<Optional<RelayEntry>> entries) {
        this.loop = loop;
        this.entries = entries;
    }

    @Override
    public void refetch(int relay, EventId id) {
        if (wanted.isEmpty()) {
            loop.post(this::send);
        }
        wanted.computeIfAbsent(relay, _ -> new ArrayList<>()).add(id);
    }

    private void send() {
        var all = new LinkedHashMap<>(wanted);
        wanted.clear();
        all.forEach((relay, ids) ->
                entries.apply(relay).ifPresent(entry -> entry.link().refetch(ids, _ -> {})));
    }
}
