package dev.grapnel.server;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What one client was promised: what each of its events must be, and which of its repositories can be
/// read. One person owns all repositories, another contributes to them.
final class Ledger {
    /// What an event must be.
    enum Fate {
        HELD,
        SERVED,
        /// A newer version took its place, served or held.
        REPLACED,
        /// Its author took it back.
        DELETED,
        /// It left with something else, or was refused: it may be brought again.
        GONE
    }

    /// What a repository is.
    enum Phase {
        NONE,
        HELD,
        HOSTED,
        WITHDRAWN,
        TRASHED;

        boolean isReadable() {
            return this == HELD || this == HOSTED || this == WITHDRAWN;
        }
    }

    /// One message of the client.
    sealed interface Step {
        Event event();

        /// An announcement that lists the server.
        record Announce(Event event, String identifier) implements Step {}

        /// An announcement that does not list it any more.
        record Leave(Event event, String identifier) implements Step {}

        /// A state or a pull request.
        record Wait(Event event, String identifier) implements Step {}

        /// Something about a repository that is served.
        record Comment(Event event) implements Step {}

        /// The deletion of an event, by id or by address.
        record Delete(Event event, Event target, String identifier) implements Step {}
    }

    private record Entry(Event event, String identifier, Fate fate) {}

    private record Repository(Phase phase, Optional<EventId> announcement) {}

    private final Map<EventId, Entry> entries = new LinkedHashMap<>();
    private final Map<String, Repository> repositories = new TreeMap<>();

    Ledger() {}

    private Ledger(Ledger other) {
        entries.putAll(other.entries);
        repositories.putAll(other.repositories);
    }

    /// An announcement that was served before.
    void adopt(Event announcement, String identifier) {
        entries.put(announcement.id(), new Entry(announcement, identifier, Fate.SERVED));
        repositories.put(identifier, new Repository(Phase.HOSTED, Optional.of(announcement.id())));
    }

    /// What it is after a step.
    Ledger after(Step step) {
        var after = new Ledger(this);
        after.apply(step);
        return after;
    }

    /// Whether the client is told that a step was taken. Leaving is refused where nothing was served, and
    /// has its effect all the same.
    boolean isTaken(Step step) {
        return !(step instanceof Step.Leave(var _, var identifier) && phase(identifier) == Phase.HELD);
    }

    private void apply(Step step) {
        switch (step) {
            case Step.Announce(var event, var identifier) -> announce(event, identifier);
            case Step.Leave(var event, var identifier) -> leave(event, identifier);
            case Step.Wait(var event, var identifier) ->
                entries.put(event.id(), new Entry(event, identifier, Fate.HELD));
            case Step.Comment(var event) -> entries.put(event.id(), new Entry(event, "", Fate.SERVED));
            case Step.Delete(var event, var target, var identifier) -> {
                entries.put(event.id(), new Entry(event, "", Fate.SERVED));
                delete(target, identifier);
            }
        }
    }

    private void announce(Event event, String identifier) {
        var before = repository(identifier);
        before.announcement().ifPresent(id -> settle(id, Fate.REPLACED));
        boolean isHeld = before.phase() == Phase.NONE || before.phase() == Phase.HELD;
        entries.put(event.id(), new Entry(event, identifier, isHeld ? Fate.HELD : Fate.SERVED));
        repositories.put(identifier, new Repository(isHeld ? Phase.HELD : Phase.HOSTED, Optional.of(event.id())));
    }

    private void leave(Event event, String identifier) {
        var before = repository(identifier);
        boolean isHeld = before.phase() == Phase.HELD;
        var old = before.announcement().orElseThrow();
        settle(old, isHeld ? Fate.GONE : Fate.REPLACED);
        entries.put(event.id(), new Entry(event, identifier, isHeld ? Fate.GONE : Fate.SERVED));
        repositories.put(
                identifier,
                isHeld
                        ? new Repository(Phase.NONE, Optional.empty())
                        : new Repository(Phase.WITHDRAWN, Optional.of(event.id())));
        if (isHeld) {
            forgetVersions(identifier);
            dropStates(identifier);
        }
    }

    private void delete(Event target, String identifier) {
        settle(target.id(), Fate.DELETED);
        if (target.kind() != Kinds.ANNOUNCEMENT) {
            return;
        }
        var before = phase(identifier);
        boolean isHeld = before == Phase.HELD;
        repositories.put(identifier, new Repository(isHeld ? Phase.NONE : Phase.TRASHED, Optional.empty()));
        forgetVersions(identifier);
        if (before != Phase.WITHDRAWN) {
            dropStates(identifier);
        }
    }

    /// Nothing newer keeps them out any more.
    private void forgetVersions(String identifier) {
        of(identifier, Kinds.ANNOUNCEMENT, Fate.REPLACED).forEach(event -> settle(event.id(), Fate.GONE));
    }

    /// Nobody authorises them any more. Those of a withdrawn repository were not authorised by it any more,
    /// and wait.
    private void dropStates(String identifier) {
        of(identifier, Kinds.STATE, Fate.HELD).forEach(event -> settle(event.id(), Fate.GONE));
    }

    private void settle(EventId id, Fate fate) {
        entries.computeIfPresent(id, (_, entry) -> new Entry(entry.event(), entry.identifier(), fate));
    }

    private Repository repository(String identifier) {
        return repositories.getOrDefault(identifier, new Repository(Phase.NONE, Optional.empty()));
    }

    Phase phase(String identifier) {
        return repository(identifier).phase();
    }

    Optional<Event> announcement(String identifier) {
        return repository(identifier).announcement().map(entries::get).map(Entry::event);
    }

    /// Events of one kind and identifier.
    List<Event> of(String identifier, int kind, Fate fate) {
        return entries.values().stream()
                .filter(entry ->
                        entry.identifier().equals(identifier) && entry.event().kind() == kind && entry.fate() == fate)
                .map(Entry::event)
                .toList();
    }

    /// Events that must be something.
    List<Event> all(Fate fate) {
        return entries.values().stream()
                .filter(entry -> entry.fate() == fate)
                .map(Entry::event)
                .toList();
    }

    /// Ids of events that must be something.
    Set<EventId> ids(Fate fate) {
        return all(fate).stream().map(Event::id).collect(Collectors.toSet());
    }

    /// All identifiers ever used.
    List<String> identifiers() {
        return new ArrayList<>(repositories.keySet());
    }

    int size() {
        return entries.size();
    }
}
