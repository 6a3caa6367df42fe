package dev.grapnel.sync.world;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Announcements that wait because a test says so.
public final class ScriptedPurgatory implements PurgatoryView {
    private final Map<RepositoryAddress, Held> held = new TreeMap<>();
    private final List<Consumer<Set<String>>> watchers = new ArrayList<>();

    private record Held(EventId id, List<RemoteUrl> relays) {}

    public void hold(RepositoryAddress repository, EventId id, List<RemoteUrl> relays) {
        held.put(repository, new Held(id, List.copyOf(relays)));
    }

    public void release(RepositoryAddress repository) {
        held.remove(repository);
    }

    public void tell(String identifier) {
        watchers.forEach(watcher -> watcher.accept(Set.of(identifier)));
    }

    public int watchers() {
        return watchers.size();
    }

    @Override
    public List<Waiting> announcements() {
        return held.entrySet().stream()
                .map(entry -> new Waiting(entry.getKey(), entry.getValue().id()))
                .toList();
    }

    @Override
    public List<RemoteUrl> relays(Waiting waiting) {
        var found = held.get(waiting.repository());
        return found == null ? List.of() : found.relays();
    }

    @Override
    public Set<PublicKey> maintainers(RepositoryAddress repository) {
        return Set.of(repository.owner());
    }

    @Override
    public List<RepositoryAddress> announced(String identifier) {
        return List.of();
    }

    @Override
    public Stream<PublicKey> listed(String identifier) {
        return Stream.empty();
    }

    @Override
    public boolean isHeld(RepositoryAddress repository) {
        return held.containsKey(repository);
    }

    @Override
    public Runnable watch(Consumer<Set<String>> changed) {
        watchers.add(changed);
        return () -> watchers.remove(changed);
    }
}
