package dev.grapnel.sync.index;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Mutation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One comparison of the index with everything that is stored (R2.8). What differs is suspect only, because the
/// feed may be about to tell it; what still differs some windows later, and was not touched since, is a fault
/// of ours.
final class StoreAudit {
    private static final int SUSPECTS_MAX = 10_000;
    private static final int TOUCHED_MAX = 100_000;

    private final WantedIndex index;
    private final Archive archive;
    private final Census census;
    private final Set<Mutation> suspects = new LinkedHashSet<>();
    private final Set<Mutation> lacking = new LinkedHashSet<>();
    /// Identifiers whose announcements or states changed since the beginning.
    private final Set<String> touched = new HashSet<>();

    StoreAudit(WantedIndex index, Archive archive) {
        this.index = index;
        this.archive = archive;
        this.census = new Census(index);
    }

    /// What is to be done after everything was looked at.
    Census census() {
        return census;
    }

    /// Hears of what the feed tells meanwhile.
    void touch(List<Mutation> mutations) {
        for (var mutation : mutations) {
            identifier(mutation).ifPresent(this::touch);
        }
    }

    void touch(String identifier) {
        if (touched.size() < TOUCHED_MAX) {
            touched.add(identifier);
        }
    }

    private static Optional<String> identifier(Mutation mutation) {
        return switch (mutation) {
            case Mutation.Announced announced ->
                Optional.of(announced.repository().identifier().text());
            case Mutation.Unannounced gone ->
                Optional.of(gone.repository().identifier().text());
            case Mutation.StatesChanged states -> Optional.of(states.identifier());
            case Mutation.RootServed _, Mutation.MemberServed _, Mutation.Left _ -> Optional.empty();
        };
    }

    /// Compares a slice of what is stored.
    Work comparing(List<Mutation> found) {
        var rest = found.iterator();
        return () -> {
            if (rest.hasNext()) {
                suspect(rest.next());
                return true;
            }
            census.meet(found);
            return false;
        };
    }

    /// Takes over what was not met.
    void suspectAbsent() {
        census.absent().forEach(this::suspect);
    }

    /// Goes through the members that the index has.
    Work membersServed() {
        return new MemberCheck(index, archive, gone -> gone.forEach(this::suspect));
    }

    /// Announcements that named more relays than there were places for, if there are now: nothing is wrong with
    /// them, and they are looked at once more.
    List<Mutation> lacking() {
        return lacking.stream()
                .filter(mutation -> isUntouched(mutation) && isTrue(mutation))
                .toList();
    }

    private boolean isLacking(Mutation mutation) {
        int repo = mutation instanceof Mutation.Announced announced ? index.findRepo(announced.repository()) : -1;
        return repo >= 0 && index.following().mayHaveMore(repo, Level.FULL);
    }

    private void suspect(Mutation mutation) {
        if (lacking.size() < SUSPECTS_MAX && isLacking(mutation)) {
            lacking.add(mutation);
        }
        if (suspects.size() < SUSPECTS_MAX && !isHeld(mutation)) {
            suspects.add(mutation);
        }
    }

    /// What differs indeed, as the mutations that mend it.
    List<Mutation> differences() {
        var differences = new ArrayList<Mutation>();
        if (touched.size() < TOUCHED_MAX) {
            suspects.stream().filter(this::isDifferent).forEach(differences::add);
        }
        return differences;
    }

    private boolean isDifferent(Mutation mutation) {
        return isUntouched(mutation) && isTrue(mutation) && !isHeld(mutation);
    }

    private boolean isUntouched(Mutation mutation) {
        return identifier(mutation).map(name -> !touched.contains(name)).orElse(true);
    }

    /// Whether what was read is still so.
    private boolean isTrue(Mutation mutation) {
        return switch (mutation) {
            case Mutation.RootServed root -> archive.standing(root.id()) == Archive.Standing.SERVED;
            case Mutation.Announced announced -> archive.standing(announced.id()) == Archive.Standing.SERVED;
            case Mutation.Left left -> archive.standing(left.id()) != Archive.Standing.SERVED;
            case Mutation.MemberServed member -> archive.standing(member.id()) == Archive.Standing.SERVED;
            case Mutation.Unannounced gone -> !archive.isAnnounced(gone.repository());
            case Mutation.StatesChanged _ -> true;
        };
    }

    /// Whether the index has it so.
    private boolean isHeld(Mutation mutation) {
        return switch (mutation) {
            case Mutation.Announced announced -> isHeld(announced);
            case Mutation.Unannounced gone -> {
                int repo = index.findRepo(gone.repository());
                yield repo < 0 || !index.repos().is(repo, Repos.STORED);
            }
            case Mutation.RootServed root -> isHeld(root);
            case Mutation.Left left -> {
                int root = index.findRoot(left.id());
                yield (root < 0 || index.roots().isGone(root)) && index.findMember(left.id()) < 0;
            }
            case Mutation.StatesChanged states -> isHeld(states);
            case Mutation.MemberServed member -> index.threads().isRight(member);
        };
    }

    private boolean isHeld(Mutation.Announced announced) {
        int repo = index.findRepo(announced.repository());
        return repo >= 0 && index.level(repo) == Level.FULL && index.following().hasRelays(repo, announced.relays());
    }

    private boolean isHeld(Mutation.RootServed served) {
        int root = index.findRoot(served.id());
        boolean isLive = root >= 0 && !index.roots().isGone(root);
        return served.repositories().stream()
                .mapToInt(index::findRepo)
                .filter(repo -> repo >= 0 && !index.repos().isHeld(repo))
                .allMatch(repo -> isLive && index.roots().isIn(root, repo));
    }

    private boolean isHeld(Mutation.StatesChanged states) {
        var namesakes = new ArrayList<Integer>();
        Identifier.parse(states.identifier())
                .find()
                .ifPresent(identifier -> index.repos().forEach(identifier, namesakes::add));
        return namesakes.stream()
                .filter(repo -> index.level(repo) == Level.FULL)
                .allMatch(repo -> index.stateAddresses().isRight(repo));
    }
}
