package dev.grapnel.client;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Branches and tags of a repository on the user's disk.
///
/// @param head the branch that is checked out; nothing if none is
public record LocalRefs(SortedMap<RefName, Oid> refs, Optional<RefName> head) {
    public LocalRefs {
        refs = Collections.unmodifiableSortedMap(new TreeMap<>(refs));
    }

    /// Reads lines `<object id> <ref>`, as git prints them.
    ///
    /// @param head as git prints it, empty for none
    public static Parsed<LocalRefs> parse(List<String> lines, String head) {
        var refs = new TreeMap<RefName, Oid>();
        for (var line : lines) {
            int space = line.indexOf(' ');
            var id = Oid.parse(line.substring(0, Math.max(space, 0)));
            var name = RefName.parse(line.substring(space + 1));
            if (id.find().isEmpty()) {
                return Parsed.invalid("its object ids are not SHA-1, and no other can be published");
            }
            if (name.find().isEmpty()) {
                return Parsed.invalid("a state cannot declare " + line.substring(space + 1)
                        + "; rename it, as no server would take it");
            }
            refs.put(name.require(), id.require());
        }
        return Parsed.valid(new LocalRefs(
                refs, RefName.parse(head).find().filter(RefName::isBranch).filter(refs::containsKey)));
    }

    /// What to give `git push` so that everything declared is pushed at once: a state is applied whole.
    public List<String> pushed() {
        boolean hasTags = refs.keySet().stream().anyMatch(RefName::isTag);
        boolean hasBranches = refs.keySet().stream().anyMatch(RefName::isBranch);
        if (refs.size() == 1) {
            return List.of(refs.firstKey().text().replaceFirst("^refs/(heads|tags)/", ""));
        }
        var globs = new ArrayList<String>();
        if (hasBranches) {
            globs.add("refs/heads/*:refs/heads/*");
        }
        if (hasTags) {
            globs.add("refs/tags/*:refs/tags/*");
        }
        return List.copyOf(globs);
    }
}
