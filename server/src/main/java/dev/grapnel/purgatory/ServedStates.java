package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.store.Lookup;
import dev.grapnel.store.StoreView;
import java.util.ArrayList;
import java.util.List;

/// The states of an identifier that are served, whoever their authors are.
public final class ServedStates {
    private ServedStates() {}

    public static List<RepositoryState> of(Identifier identifier, StoreView view) {
        var states = new ArrayList<RepositoryState>();
        view.forEachServed(new Lookup.TaggedOfKind(Kinds.STATE, 'd', identifier.text()), event -> {
            // by any of its tags it may have been found, by the first it is known
            RepositoryState.parse(event.read())
                    .find()
                    .filter(state -> state.identifier().equals(identifier))
                    .ifPresent(states::add);
            return true;
        });
        return states;
    }
}
