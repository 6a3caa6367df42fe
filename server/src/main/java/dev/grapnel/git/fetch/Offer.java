package dev.grapnel.git.fetch;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.refs.RefValue;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.nostr.repository.Oid;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.eclipse.jgit.lib.ObjectDatabase;
import org.eclipse.jgit.lib.ObjectId;

/// What may be fetched from a repository.
///
/// @param objects all that is stored, also what nobody may see
/// @param refs those everybody may see
/// @param recent what they named a few minutes ago, so that a clone which has begun survives a push
/// @param headIsClaimed whether `HEAD` is said although its branch does not exist
public record Offer(ObjectDatabase objects, Refs refs, Collection<Oid> recent, boolean headIsClaimed) {
    public Offer {
        recent = List.copyOf(recent);
    }

    /// Where everything visible begins, the default branch first.
    public SequencedSet<ObjectId> tips() {
        var tips = new LinkedHashSet<ObjectId>();
        refs.find(refs.head()).map(RefValue::target).map(GitIds::of).ifPresent(tips::add);
        refs.values().values().forEach(value -> tips.add(GitIds.of(value.target())));
        recent.forEach(id -> tips.add(GitIds.of(id)));
        return tips;
    }
}
