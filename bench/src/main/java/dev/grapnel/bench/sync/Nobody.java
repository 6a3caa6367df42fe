package dev.grapnel.bench.sync;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.sync.received.RelayNames;
import dev.grapnel.sync.world.PurgatoryView;
import dev.grapnel.sync.world.SnapshotFiles;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// A world in which nothing waits, nothing is written down, and all that comes has come from one relay.
final class Nobody implements PurgatoryView, SnapshotFiles, RelayNames {
    private static final RemoteUrl RELAY =
            RemoteUrl.parse("wss://relay.example.com", UrlShape.relay()).require();

    @Override
    public List<Waiting> announcements() {
        return List.of();
    }

    @Override
    public List<RemoteUrl> relays(Waiting waiting) {
        return List.of();
    }

    @Override
    public Set<PublicKey> maintainers(RepositoryAddress repository) {
        return Set.of();
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
        return false;
    }

    @Override
    public Runnable watch(Consumer<Set<String>> changed) {
        return () -> {};
    }

    @Override
    public Optional<byte[]> load(String name) {
        return Optional.empty();
    }

    @Override
    public void save(String name, byte[] content, Consumer<Optional<IOException>> done) {
        done.accept(Optional.empty());
    }

    @Override
    public RemoteUrl url(int relay) {
        return RELAY;
    }

    @Override
    public OptionalInt find(RemoteUrl url) {
        return OptionalInt.of(0);
    }

    @Override
    public boolean isBootstrap(int relay) {
        return false;
    }
}
