package dev.grapnel.git.maintenance;

import dev.grapnel.git.GitIds;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevTag;
import org.eclipse.jgit.revwalk.RevTree;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;

/// Finds which old packs have to stay beside the new ones: those that must not go, and for everything in
/// them that the new ones lack also whatever it links to. Whole packs stay, as that keeps each of them
/// complete.
final class KeptPacks implements AutoCloseable {
    private final PackDirectory directory;
    private final Pace pace;
    private final Map<String, IndexFile> indexes = new TreeMap<>();
    private final Set<String> made;

    /// @param made names of the new packs
    KeptPacks(PackDirectory directory, Pace pace, Collection<String> made) {
        this.directory = directory;
        this.pace = pace;
        this.made = new TreeSet<>(made);
    }

    /// Finds them.
    ///
    /// @param candidates old packs that may go
    /// @param fixed names of those among all packs that must stay
    /// @param roots ids that must stay; mostly all of them are in the new packs
    /// @param youngSince a candidate this young stays if it has anything the new packs lack
    /// @return names of the candidates that have to stay
    Set<String> find(
            List<StoredPack> candidates,
            Collection<String> fixed,
            Collection<Oid> roots,
            Instant youngSince,
            ObjectReader reader)
            throws IOException {
        var free = new TreeMap<String, IndexFile>();
        var kept = new TreeSet<String>();
        for (var pack : candidates) {
            if (!made.contains(pack.name())) {
                free.put(pack.name(), index(pack.name()));
            }
        }
        var needed = new TreeSet<String>();
        for (var root : roots) {
            addHolder(root, free, needed);
        }
        for (var pack : candidates) {
            boolean isYoung = pack.modified().isAfter(youngSince);
            if (isYoung && free.containsKey(pack.name()) && hasMore(index(pack.name()))) {
                needed.add(pack.name());
            }
        }
        var open = new ArrayDeque<>(fixed);
        keep(needed, free, kept, open);
        while (!open.isEmpty()) {
            keep(linkedFrom(index(open.remove()), free, reader), free, kept, open);
        }
        return kept;
    }

    private static void keep(
            Set<String> names, Map<String, IndexFile> free, Set<String> kept, Collection<String> open) {
        free.keySet().removeAll(names);
        kept.addAll(names);
        open.addAll(names);
    }

    /// Whether the new packs have an object.
    boolean isMade(Oid id) throws IOException {
        return isIn(made, id);
    }

    /// Whether one of some packs has an object.
    boolean isIn(Collection<String> names, Oid id) throws IOException {
        for (var name : names) {
            if (index(name).has(id)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasMore(IndexFile index) throws IOException {
        for (int position = 0; position < index.count(); position++) {
            pace.spend(0);
            if (!isMade(index.id(position))) {
                return true;
            }
        }
        return false;
    }

    private Set<String> linkedFrom(IndexFile index, Map<String, IndexFile> free, ObjectReader reader)
            throws IOException {
        var needed = new TreeSet<String>();
        try (var walk = new RevWalk(reader)) {
            for (int position = 0; position < index.count(); position++) {
                pace.spend(0);
                var id = index.id(position);
                if (!isMade(id)) {
                    for (var link : links(walk, GitIds.of(id))) {
                        addHolder(GitIds.of(link), free, needed);
                    }
                }
            }
        }
        return needed;
    }

    private void addHolder(Oid link, Map<String, IndexFile> free, Set<String> needed) throws IOException {
        if (!isMade(link) && !isIn(needed, link)) {
            for (var pack : free.entrySet()) {
                if (pack.getValue().has(link)) {
                    needed.add(pack.getKey());
                    return;
                }
            }
        }
    }

    private static List<ObjectId> links(RevWalk walk, ObjectId id) throws IOException {
        var links = new ArrayList<ObjectId>();
        try {
            switch (walk.parseAny(id)) {
                case RevCommit commit -> {
                    links.add(commit.getTree().copy());
                    for (var parent : commit.getParents()) {
                        links.add(parent.copy());
                    }
                }
                case RevTree tree -> addEntries(walk, tree, links);
                case RevTag tag -> {
                    walk.parseBody(tag);
                    links.add(tag.getObject().copy());
                }
                default -> {
                    // a blob links to nothing
                }
            }
        } catch (MissingObjectException _) {
            // it was there when the index was opened; a pack that went since was one the new ones replace
        }
        walk.reset();
        return links;
    }

    private static void addEntries(RevWalk walk, RevTree tree, List<ObjectId> links) throws IOException {
        var entries = new CanonicalTreeParser(null, walk.getObjectReader(), tree);
        while (!entries.eof()) {
            if (!FileMode.GITLINK.equals(entries.getEntryRawMode())) {
                links.add(entries.getEntryObjectId());
            }
            entries.next();
        }
    }

    private IndexFile index(String name) throws IOException {
        var known = indexes.get(name);
        if (known != null) {
            return known;
        }
        var opened = IndexFile.open(directory.path().resolve(name + ".idx"));
        indexes.put(name, opened);
        return opened;
    }

    @Override
    public void close() {
        indexes.values().forEach(IndexFile::close);
    }
}
