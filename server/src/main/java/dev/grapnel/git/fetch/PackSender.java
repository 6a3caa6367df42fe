package dev.grapnel.git.fetch;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.fetch.FetchRequest.Capability;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.eclipse.jgit.internal.storage.pack.PackWriter;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.ObjectWalk;
import org.eclipse.jgit.revwalk.RevObject;
import org.eclipse.jgit.revwalk.RevTag;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.pack.PackConfig;

/// Writes the pack a client needs.
final class PackSender {
    private final FetchRequest request;
    private final Offer offer;
    private final ObjectReader reader;
    private final Abandonment abandonment;
    private final PackBudget budget;

    /// @param abandoned asked again and again whether nobody wants the pack any more
    /// @param budget what it may take of memory
    PackSender(FetchRequest request, Offer offer, ObjectReader reader, BooleanSupplier abandoned, PackBudget budget) {
        this.request = request;
        this.offer = offer;
        this.reader = reader;
        this.abandonment = new Abandonment(abandoned, PackWeight.countable(budget.most()));
        this.budget = budget;
    }

    void send(Set<ObjectId> common, ShallowCut cut, OutputStream out) throws IOException {
        try (var writer = new PackWriter(config(), reader)) {
            prepare(writer, PackWeight.isWhole(request));
            count(writer, common, cut);
            abandonment.haveCounted();
            budget.shrinkTo(PackWeight.listed(writer.getObjectCount()));
            writer.writePack(abandonment, NullProgressMonitor.INSTANCE, out);
        }
    }

    /// Whatever this looked at can be forgotten before the first byte is sent.
    private void count(PackWriter writer, Set<ObjectId> common, ShallowCut cut) throws IOException {
        try (var walk = new ObjectWalk(reader)) {
            walk.assumeShallow(cut.ends());
            var wanted = parse(walk, request.wants().stream().map(GitIds::of).toList());
            wanted.addAll(parse(walk, cut.further()));
            writer.preparePack(abandonment, walk, wanted, common, PackWriter.NONE);
            if (!request.filter().isNoOp()) {
                addNamed(writer, walk, wanted);
            }
            if (request.has(Capability.INCLUDE_TAG)) {
                addTags(writer, walk, wanted);
            }
        }
    }

    private static PackConfig config() {
        var config = new PackConfig();
        config.setThreads(1); // one client, one thread: a place in the pool is what was given
        // What was received is compressed against what the sender had; searching anew for each reader would cost more
        // than it saves. Maintenance does it once for all.
        config.setDeltaCompress(false);
        return config;
    }

    private void prepare(PackWriter writer, boolean whole) {
        boolean unfiltered = request.filter().isNoOp();
        writer.setIndexDisabled(true);
        if (!unfiltered) {
            writer.setFilterSpec(request.filter());
        }
        writer.setUseCachedPacks(unfiltered && whole);
        writer.setUseBitmaps(whole && request.filter().getTreeDepthLimit() == -1);
        writer.setReuseDeltaCommits(true);
        writer.setDeltaBaseAsOffset(request.has(Capability.OFS_DELTA));
        writer.setThin(request.has(Capability.THIN_PACK));
        writer.setReuseValidatingObjects(false);
        writer.setTagTargets(offer.refs().values().values().stream()
                .map(value -> GitIds.of(value.peeled().orElse(value.target())))
                .collect(Collectors.toSet()));
    }

    private static Set<RevObject> parse(RevWalk walk, Collection<ObjectId> ids) throws IOException {
        var objects = new LinkedHashSet<RevObject>();
        for (var id : ids) {
            objects.add(walk.parseAny(id));
        }
        return objects;
    }

    /// What is asked for by name comes, whatever is filtered out of the rest; and so does what a tag stands
    /// for.
    private static void addNamed(PackWriter writer, RevWalk walk, Set<RevObject> wanted) throws IOException {
        for (var object : wanted) {
            for (var tag : chain(walk, object)) {
                add(writer, tag);
            }
            add(writer, walk.peel(object));
        }
    }

    private static void add(PackWriter writer, RevObject object) throws IOException {
        if (!writer.willInclude(object)) {
            writer.addObject(object);
        }
    }

    /// Tags that name something in the pack come along, so that nobody has to ask for them.
    private void addTags(PackWriter writer, RevWalk walk, Set<RevObject> wanted) throws IOException {
        for (var value : offer.refs().values().values()) {
            var behind = value.peeled();
            if (behind.isPresent() && writer.willInclude(GitIds.of(behind.get()))) {
                for (var tag : chain(walk, GitIds.of(value.target()))) {
                    if (!wanted.contains(tag) && !writer.willInclude(tag)) {
                        writer.addObject(tag);
                    }
                }
            }
        }
    }

    private static List<RevTag> chain(RevWalk walk, ObjectId first) throws IOException {
        var tags = new ArrayList<RevTag>();
        RevObject object = walk.parseAny(first);
        while (object instanceof RevTag tag) {
            walk.parseBody(tag);
            tags.add(tag);
            object = walk.parseAny(tag.getObject());
        }
        return tags;
    }
}
