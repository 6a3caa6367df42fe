package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.References;
import dev.grapnel.nostr.event.Tag;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.HashSet;
import java.util.Set;

/// Whether an event is, or refers to, something that is wanted of a relay. It is asked before anybody has
/// looked at the signature, so it must cost little whatever the event says: whatever is named often is looked
/// for once, and the first thing that is wanted ends the search.
///
/// Of an event that names more than the gate looks at, what is behind is not looked at either. The relay may
/// well have been asked for that, so the event counts as wanted, and the gate refuses it.
final class Touch {
    private final WantedIndex index;
    private final Targets targets;
    private final int relay;
    private final Set<String> identifiers = new HashSet<>();
    private final Set<Integer> roots = new HashSet<>();

    /// @param index finds what is named
    /// @param targets knows what is wanted
    Touch(WantedIndex index, Targets targets, int relay) {
        this.index = index;
        this.targets = targets;
        this.relay = relay;
    }

    boolean by(Event event) {
        if (event.kind() == Kinds.STATE) {
            var identifier = event.tags().findValue("d").orElse("");
            if (hasIdentifier(identifier)) {
                return true;
            }
        }
        return References.of(event).anyMatch(this::isWanted) || References.areTooMany(event);
    }

    private boolean isWanted(Tag tag) {
        var value = tag.element(1);
        return switch (tag.name()) {
            case "a", "A" -> hasAddress(value);
            case "e", "E" -> hasEvent(value);
            case "q" -> hasEvent(value) || hasAddress(value);
            default -> false;
        };
    }

    private boolean hasIdentifier(String text) {
        return identifiers.add(text)
                && Identifier.parse(text)
                        .find()
                        .filter(identifier -> index.repos().hasAny(identifier, repo -> isHere(repo, Level.STATE_ONLY)))
                        .isPresent();
    }

    private boolean isHere(int repo, Level least) {
        return repo >= 0 && targets.level(repo).compareTo(least) >= 0 && targets.findPair(relay, repo) >= 0;
    }

    private boolean hasEvent(String text) {
        var id = EventId.parse(text).find();
        if (id.isEmpty()) {
            return false;
        }
        int root = index.findRoot(id.get());
        if (root >= 0 && isRootHere(root)) {
            return true;
        }
        int member = index.threads().members().find(id.get());
        return member >= 0 && isMemberHere(member);
    }

    private boolean isRootHere(int root) {
        return roots.add(root) && targets.hasAnyRepo(root, repo -> isHere(repo, Level.FULL));
    }

    private boolean isMemberHere(int member) {
        return targets.hasAnyThread(member, this::isRootHere);
    }

    private boolean hasAddress(String text) {
        var repository = RepositoryAddress.parse(text).find();
        if (repository.isPresent()) {
            return isHere(index.findRepo(repository.get()), Level.FULL);
        }
        var address = Address.parse(text).find();
        if (address.isPresent() && address.get().kind() == Kinds.STATE) {
            return hasIdentifier(address.get().identifier());
        }
        int member = index.threads().members().find(text);
        return member >= 0 && isMemberHere(member);
    }
}
