package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.received.Arrivals.Knowledge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What the intake remembers, for those who check it from outside (sync 10.3). Reads only.
public final class IntakeWindow {
    private static final int SHARES = 4;

    private final Intake intake;

    public IntakeWindow(Intake intake) {
        this.intake = intake;
    }

    /// What it knows that nobody signed (I10).
    ///
    /// @param genuine everything that somebody signed
    public List<String> strangers(Collection<Event> genuine) {
        Set<EventId> ids = new HashSet<>();
        genuine.forEach(event -> ids.add(event.id()));
        var strangers = new ArrayList<String>();
        var refused = intake.refusals().index();
        for (int slot = 0; slot < Math.min(refused.next(), refused.max()); slot++) {
            if (refused.isLive(slot) && !ids.contains(refused.id(slot))) {
                strangers.add("a refusal of " + refused.id(slot));
            }
        }
        intake.refusals().hot().forEach(hot -> {
            if (!genuine.contains(hot.event())) {
                strangers.add("a refused event " + hot.id());
            }
        });
        long seen = ids.stream()
                .filter(id -> intake.seen().find(id) != Knowledge.UNKNOWN)
                .count();
        if (seen != intake.seen().count()) {
            strangers.add((intake.seen().count() - seen) + " ids in the seen cache");
        }
        return strangers;
    }

    /// What there is more of than a configuration allows (I9).
    public List<String> excess(IntakeConfig config) {
        var problems = new ArrayList<String>();
        var figures = intake.figures();
        expect(figures.refused(), config.coldMax(), "refusals", problems);
        expect(figures.seen(), config.seenMax(), "ids in the seen cache", problems);
        expect(figures.waits(), config.waitsMax(), "waits", problems);
        expect(figures.inGate(), config.gateMax(), "events in the gate", problems);
        Map<Integer, Long> counts = new TreeMap<>();
        Map<Integer, Long> bytes = new TreeMap<>();
        intake.refusals().hot().forEach(hot -> {
            counts.merge(hot.relay(), 1L, Long::sum);
            bytes.merge(hot.relay(), (long) hot.event().json().length(), Long::sum);
        });
        expect(sum(counts), config.hotEventsMax(), "whole refused events", problems);
        expect(sum(bytes), config.hotBytesMax(), "bytes of refused events", problems);
        counts.forEach((relay, count) ->
                expect(count, share(config.hotEventsMax()), "whole refused events of relay " + relay, problems));
        bytes.forEach((relay, some) ->
                expect(some, share(config.hotBytesMax()), "bytes of refused events of relay " + relay, problems));
        return problems;
    }

    private static long share(long all) {
        return Math.max(1, all / SHARES);
    }

    private static long sum(Map<Integer, Long> parts) {
        return parts.values().stream().mapToLong(part -> part).sum();
    }

    private static void expect(long found, long most, String what, List<String> problems) {
        if (found > most) {
            problems.add(found + " " + what + " instead of " + most);
        }
    }
}
