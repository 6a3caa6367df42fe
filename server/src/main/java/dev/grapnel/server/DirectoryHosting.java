package dev.grapnel.server;

import dev.grapnel.git.Hosting;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;

/// Takes what is on disk for what there is, as long as no events say it.
final class DirectoryHosting implements Hosting {
    private final Repositories repositories;
    private final Predicate<RepositoryAddress> further;
    private final ConcurrentSkipListMap<Identifier, NavigableSet<RepositoryAddress>> named =
            new ConcurrentSkipListMap<>();

    private DirectoryHosting(Repositories repositories, Predicate<RepositoryAddress> further) {
        this.repositories = repositories;
        this.further = further;
    }

    /// Any repository that is asked for exists.
    ///
    /// @throws IOException if the directory cannot be read
    static Hosting ofAnything(Repositories repositories) throws IOException {
        return load(new DirectoryHosting(repositories, _ -> true));
    }

    private static Hosting load(DirectoryHosting hosting) throws IOException {
        hosting.repositories.forEach(hosting::note);
        return hosting;
    }

    private void note(RepositoryAddress address) {
        named.computeIfAbsent(address.identifier(), _ -> new ConcurrentSkipListSet<>())
                .add(address);
    }

    @Override
    public Optional<Hosted> find(RepositoryAddress address) throws IOException {
        if (!further.test(address) && !exists(address)) {
            return Optional.empty();
        }
        note(address);
        return Optional.of(Hosted.OPEN);
    }

    private boolean exists(RepositoryAddress address) throws IOException {
        var lease = repositories.find(address);
        lease.ifPresent(found -> found.close());
        return lease.isPresent();
    }

    @Override
    public Collection<RepositoryAddress> named(Identifier identifier) {
        return List.copyOf(named.getOrDefault(identifier, new ConcurrentSkipListSet<>()));
    }

    @Override
    public int count() {
        return named.values().stream().mapToInt(Collection::size).sum();
    }
}
