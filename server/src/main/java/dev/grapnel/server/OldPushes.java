package dev.grapnel.server;

import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pool.LocalPool;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.legacy.OldPush;
import dev.grapnel.purgatory.legacy.OldUploads;
import dev.grapnel.store.row.AreaName;
import dev.grapnel.store.row.Upload.Endpoint;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Finds what the existing server had taken in before its events where that server keeps it, in the repositories,
/// and gives it staging areas (purgatory P-711, P-715): one for each repository, because what was pushed there
/// rests on the same history. Its refs go when the repository is compared with events.
///
/// Contributors' repositories are not taken over yet, so what was pushed there is left in them.
final class OldPushes implements OldUploads {
    private final Repositories repositories;
    private final Map<RepositoryAddress, Staged> known = new HashMap<>();

    OldPushes(Repositories repositories) {
        this.repositories = repositories;
    }

    /// @param commits what the area holds, with all that it reaches
    private record Staged(AreaName area, Set<Oid> commits) {}

    @Override
    public Optional<AreaName> stage(OldPush push) throws IOException {
        if (push.endpoint() == Endpoint.CONTRIBUTOR) {
            return Optional.empty();
        }
        var staged = known.get(push.repository());
        if (staged == null) {
            staged = stageAll(push.repository());
            known.put(push.repository(), staged);
        }
        return staged.commits().contains(push.commit()) ? Optional.of(staged.area()) : Optional.empty();
    }

    private Staged stageAll(RepositoryAddress address) throws IOException {
        var area = repositories.staging().newName();
        try (var lease = repositories.find(address).orElse(null)) {
            return new Staged(new AreaName(area), lease == null ? Set.of() : stageAll(lease, area));
        }
    }

    private Set<Oid> stageAll(RepositoryLease lease, String area) throws IOException {
        var tips = new LinkedHashSet<Oid>();
        lease.refs().current().values().forEach((name, value) -> {
            if (name.text().startsWith(RefName.PROPOSALS)) {
                tips.add(value.target());
            }
        });
        List<LocalPool.Source> itself = List.of(new LocalPool.Source.Related(lease.address()));
        try (var objects = new LocalPool(repositories, _ -> new LinkedHashSet<>(), itself, Optional.empty())) {
            var commits = new LinkedHashSet<Oid>();
            objects.find(tips).forEach((id, type) -> {
                if (type == ObjectType.COMMIT) {
                    commits.add(id);
                }
            });
            if (!commits.isEmpty()) {
                // All of it: which branches stay, and what they keep, is not known yet.
                objects.putAside(commits, Set.of(), lease, area);
            }
            return commits;
        }
    }
}
