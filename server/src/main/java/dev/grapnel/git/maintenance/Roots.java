package dev.grapnel.git.maintenance;

import dev.grapnel.git.GitIds;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;

/// Whatever these reach has to stay.
///
/// @param cloned what a plain clone asks for: branches and tags
/// @param tags those of them that tags name
/// @param others all further ones
record Roots(Set<ObjectId> cloned, Set<ObjectId> tags, Set<ObjectId> others) {
    Roots {
        cloned = Set.copyOf(cloned);
        tags = Set.copyOf(tags);
        others = Set.copyOf(others);
    }

    /// Reads the refs of this moment.
    ///
    /// @param further ids that count only if they are here
    static Roots read(FileRepository repository, Collection<Oid> further) throws IOException {
        var cloned = new HashSet<ObjectId>();
        var tags = new HashSet<ObjectId>();
        var others = new HashSet<ObjectId>();
        for (var ref : repository.getRefDatabase().getRefs()) {
            var target = ref.getObjectId();
            if (target != null) {
                (isCloned(ref) ? cloned : others).add(target.copy());
                if (ref.getName().startsWith(Constants.R_TAGS)) {
                    tags.add(target.copy());
                }
            }
        }
        try (var reader = repository.newObjectReader()) {
            for (var id : further) {
                var wanted = GitIds.of(id);
                if (reader.has(wanted)) {
                    others.add(wanted);
                }
            }
        }
        others.removeAll(cloned);
        return new Roots(cloned, tags, others);
    }

    private static boolean isCloned(Ref ref) {
        return ref.getName().startsWith(Constants.R_HEADS)
                || ref.getName().startsWith(Constants.R_TAGS)
                || ref.getName().equals(Constants.HEAD);
    }

    boolean isEmpty() {
        return cloned.isEmpty() && others.isEmpty();
    }

    /// All of them.
    Set<Oid> all() {
        return Stream.concat(cloned.stream(), others.stream()).map(GitIds::of).collect(Collectors.toSet());
    }
}
