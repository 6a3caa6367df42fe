package dev.grapnel.git.pool;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.ObjectType;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// All objects that count for one judgement (purgatory P-320).
///
/// Answers are remembered, so a pool is for one judgement and what follows from it, while nobody changes
/// its sources. Used by one thread, who closes it and may be interrupted.
public final class LocalPool implements AutoCloseable {
    private final Repositories repositories;
    private final Places places;
    private final Map<Oid, Optional<ObjectType>> answers = new HashMap<>();
    private @Nullable Proof proof;

    /// @param shown what repositories of others show
    /// @param sources asked in this order; those that do not exist have nothing
    /// @param received what a push has just brought; it stays open, and is not moved before this is closed
    public LocalPool(Repositories repositories, Shown shown, List<Source> sources, Optional<Quarantine> received) {
        this.repositories = repositories;
        this.places = new Places(repositories, shown, sources, received);
    }

    /// Where objects may be.
    public sealed interface Source {
        /// A repository whose owner has to do with the author of the event: everything in it counts.
        record Related(RepositoryAddress repository) implements Source {}

        /// A repository of somebody else: only what it shows counts.
        record Unrelated(RepositoryAddress repository) implements Source {}

        /// A repository of somebody else of which only what one ref reaches counts, shown or not.
        record Named(RepositoryAddress repository, RefName ref) implements Source {}

        /// A staging area, which is complete only together with other sources.
        record Area(String name) implements Source {}

        /// What was fetched for an identifier, which is complete only together with other sources.
        record Hunted(Identifier identifier) implements Source {}
    }

    /// What of a repository everybody may see.
    public interface Shown {
        /// What its advertised refs name, the most likely ones first.
        SequencedSet<ObjectId> tips(RepositoryLease lease) throws IOException;
    }

    /// The type of an object that is here with everything it reaches; empty if it is not, or something of
    /// that is not.
    public Optional<ObjectType> find(Oid id) throws IOException {
        return Optional.ofNullable(find(List.of(id)).get(id));
    }

    /// Types of those of some objects that are here with everything they reach. Asked together they cost
    /// less.
    public SequencedMap<Oid, ObjectType> find(Collection<Oid> ids) throws IOException {
        var open = new ArrayList<ObjectId>();
        for (var id : ids) {
            if (!answers.containsKey(id)) {
                var type = findRelated(GitIds.of(id));
                if (type.isPresent()) {
                    answers.put(id, type);
                } else {
                    open.add(GitIds.of(id));
                }
            }
        }
        if (!open.isEmpty()) {
            examine(open);
        }
        var found = new LinkedHashMap<Oid, ObjectType>();
        for (var id : ids) {
            answers.getOrDefault(id, Optional.empty()).ifPresent(type -> found.put(id, type));
        }
        return found;
    }

    /// Whether one of these lies nowhere here, complete or not. Costs far less than to find all that are complete.
    public boolean lacksAny(Collection<Oid> ids) throws IOException {
        for (var id : ids) {
            if (!isSomewhere(GitIds.of(id))) {
                return true;
            }
        }
        return false;
    }

    private boolean isSomewhere(ObjectId id) throws IOException {
        for (var related : places.related()) {
            if (related.place().has(id)) {
                return true;
            }
        }
        for (var place : places.copied()) {
            if (place.has(id)) {
                return true;
            }
        }
        return false;
    }

    /// Whether it is here with everything it reaches, and something else than a commit.
    public boolean isOtherThanCommit(Oid id) throws IOException {
        var known = answers.get(id);
        if (known == null) {
            // It has one type wherever it lies, so what is a commit or lies nowhere needs no further look.
            var type = findSomewhere(GitIds.of(id));
            known = type.isEmpty() || type.get() == ObjectType.COMMIT ? Optional.empty() : find(id);
        }
        return known.filter(type -> type != ObjectType.COMMIT).isPresent();
    }

    private Optional<ObjectType> findSomewhere(ObjectId id) throws IOException {
        var type = findRelated(id);
        return type.isPresent() ? type : findCopied(id);
    }

    /// Whatever is in a related repository is complete.
    private Optional<ObjectType> findRelated(ObjectId id) throws IOException {
        for (var related : places.related()) {
            var type = related.place().findType(id);
            if (type.isPresent()) {
                return type;
            }
        }
        return Optional.empty();
    }

    private void examine(List<ObjectId> open) throws IOException {
        try {
            proof().examine(open);
        } catch (IOException e) {
            endProof(); // half of a look must not pass for a whole one
            throw e;
        }
        for (var id : open) {
            answers.put(GitIds.of(id), proof().isComplete(id) ? findCopied(id) : Optional.empty());
        }
    }

    private Optional<ObjectType> findCopied(ObjectId id) throws IOException {
        for (var place : places.copied()) {
            var type = place.findType(id);
            if (type.isPresent()) {
                return type;
            }
        }
        return Optional.empty();
    }

    private Proof proof() throws IOException {
        var begun = proof;
        if (begun == null) {
            begun = Proof.begin(places, repositories);
            proof = begun;
        }
        return begun;
    }

    /// Makes a repository have some objects with everything they reach, without depending on any source.
    /// Durable when it returns; no ref changes. What the repository has already is not brought again.
    ///
    /// Packs of related repositories are linked, with whatever else is in them. From everywhere else exactly
    /// what is needed is copied: nothing that others hide, and nothing that nobody signed. So this is also
    /// how a push is split of which only a part is signed: its tips are brought, and then the whole of it is
    /// kept in an area (P-248).
    ///
    /// Whoever calls sees to it that maintenance leaves the objects alone until a ref names them.
    ///
    /// @throws AbsentObject if one of them is not here, complete
    public void bring(Collection<Oid> tips, RepositoryLease into) throws IOException {
        if (tips.isEmpty()) {
            return;
        }
        var found = find(tips);
        for (var tip : tips) {
            if (!found.containsKey(tip)) {
                throw new AbsentObject(tip);
            }
        }
        try {
            Transfer.run(repositories, places, tips.stream().map(GitIds::of).toList(), into);
        } catch (MissingObjectException e) {
            throw new AbsentObject(e);
        }
    }

    /// Puts some objects with everything they reach into an area of their own, without what others reach, which
    /// stays where it is. Durable when it returns.
    ///
    /// @param without objects that are here with all they reach
    /// @param beside a repository to work beside
    /// @param area a name that none has
    /// @throws MissingObjectException if one of them is not here, complete
    public void putAside(Collection<Oid> tips, Collection<Oid> without, RepositoryLease beside, String area)
            throws IOException {
        Detachment.run(repositories, places, tips, without, beside, area);
    }

    /// How many objects of its partial sources lack something.
    public long countIncomplete() throws IOException {
        long count = 0;
        for (var place : places.areas()) {
            count += Wholeness.countIncomplete(place, proof());
        }
        return count;
    }

    @Override
    public void close() {
        endProof();
        places.close();
    }

    private void endProof() {
        if (proof != null) {
            proof.close();
            proof = null;
        }
    }
}
