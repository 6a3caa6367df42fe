package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.ReleasePath;
import dev.grapnel.purgatory.Settlement;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.store.EventStore;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Tells those who have published something that waits whether its data is here already.
public final class Settlements implements Settlement {
    private final EventStore store;
    private final Attention attention;
    private final Inspection inspection;
    private final Expectations expectations;
    private final StagedObjects staged;
    private final Copies copies;

    /// Who wants to know that what is held is also elsewhere.
    public interface Copies {
        /// Whether that would matter now.
        boolean matterTo(Identifier identifier);

        /// A relay has one, with a good signature.
        void seen(Identifier identifier);

        /// Nobody does.
        Copies NONE = new Copies() {
            @Override
            public boolean matterTo(Identifier identifier) {
                return false;
            }

            @Override
            public void seen(Identifier identifier) {
                // nobody hunts
            }
        };
    }

    public Settlements(
            EventStore store,
            Attention attention,
            Inspection inspection,
            Expectations expectations,
            StagedObjects staged,
            Copies copies) {
        this.store = store;
        this.attention = attention;
        this.inspection = inspection;
        this.expectations = expectations;
        this.staged = staged;
        this.copies = copies;
    }

    @Override
    public CompletableFuture<Boolean> settle(Event event) {
        var id = event.id();
        var identifiers = identifiersOf(event);
        var outcome = expectations.expect(id);
        var _ = attend(event, identifiers)
                .thenApply(_ -> store.read(view -> view.isServed(id)))
                .whenComplete((isServed, problem) -> {
                    if (problem == null) {
                        expectations.end(id, isServed);
                    } else {
                        expectations.fail(id, problem);
                    }
                });
        return outcome;
    }

    @Override
    public void settleLater(Event event) {
        var _ = attend(event, identifiersOf(event));
    }

    /// Done when the runs have ended, however they did.
    private CompletableFuture<Void> attend(Event event, Collection<Identifier> identifiers) {
        var runs = identifiers.stream()
                .map(identifier -> attention.attend(identifier, ReleasePath.ARRIVAL))
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(runs).handle((_, _) -> {
            staged.judged(event.id());
            return null;
        });
    }

    @Override
    public boolean hasData(Event event) {
        return inspection.hasData(event);
    }

    @Override
    public boolean awaitsCopy(Event event) {
        return event.kind() != Kinds.ANNOUNCEMENT
                && identifiersOf(event).stream().anyMatch(copies::matterTo);
    }

    @Override
    public void noteCopy(Event event) {
        identifiersOf(event).forEach(copies::seen);
    }

    private Collection<Identifier> identifiersOf(Event event) {
        if (event.kind() == Kinds.PULL_REQUEST || event.kind() == Kinds.PULL_REQUEST_UPDATE) {
            return store.read(view -> Targets.of(event, view)).stream()
                    .map(RepositoryAddress::identifier)
                    .distinct()
                    .toList();
        }
        return Identifier.parse(event.tags().findValue("d").orElse(""))
                .find()
                .map(List::of)
                .orElse(List.of());
    }
}
