package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.Tag;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;

/// Whether an event is, or refers to, something that is wanted of a relay. Each tag costs a look or two.
final class Touch {
    private final WantedIndex index;
    private final int relay;

    Touch(WantedIndex index, int relay) {
        this.index = index;
        this.relay = relay;
    }

    boolean by(Event event) {
        if (event.kind() == Kinds.STATE) {
            var identifier = event.tags().findValue("d").orElse("");
            if (hasIdentifier(identifier)) {
                return true;
            }
        }
        return event.tags().stream().anyMatch(this::isWanted);
    }

    private boolean isWanted(Tag tag) {
        var value = tag.value();
        if (value.isEmpty()) {
            return false;
        }
        return switch (tag.name()) {
            case "a", "A" -> hasAddress(value.get());
            case "e", "E" -> hasEvent(value.get());
            case "q" -> hasEvent(value.get()) || hasAddress(value.get());
            default -> false;
        };
    }

    private boolean hasIdentifier(String text) {
        var found = new boolean[1];
        Identifier.parse(text)
                .find()
                .ifPresent(identifier -> index.repos().forEach(identifier, repo -> {
                    found[0] |= isHere(repo, Level.STATE_ONLY);
                }));
        return found[0];
    }

    private boolean isHere(int repo, Level least) {
        return repo >= 0 && index.level(repo).compareTo(least) >= 0 && index.findPair(relay, repo) >= 0;
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
        var found = new boolean[1];
        index.roots().forEachHome(root, repo -> found[0] |= isHere(repo, Level.FULL));
        return found[0];
    }

    private boolean isMemberHere(int member) {
        var found = new boolean[1];
        index.threads().forEachRoot(member, root -> found[0] |= isRootHere(root));
        return found[0];
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
