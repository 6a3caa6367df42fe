package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.row.Held;
import java.util.List;
import java.util.function.Supplier;

/// One thing that is done to the store and to its model, each telling the outcome in the same words.
sealed interface ModelStep {
    /// Does it to the store.
    String on(StoreTransaction transaction);

    /// Does it to the model.
    String on(NaiveStore model);

    record Save(Event event) implements ModelStep {
        @Override
        public String toString() {
            return "save " + RandomEvents.describe(event);
        }

        @Override
        public String on(StoreTransaction transaction) {
            return answer(transaction.save(event));
        }

        @Override
        public String on(NaiveStore model) {
            return answer(model, event, () -> model.save(event));
        }
    }

    record Hold(Event event) implements ModelStep {
        @Override
        public String toString() {
            return "hold " + RandomEvents.describe(event);
        }

        @Override
        public String on(StoreTransaction transaction) {
            return answer(transaction.hold(RandomEvents.row(event)));
        }

        @Override
        public String on(NaiveStore model) {
            return answer(model, event, () -> model.hold(event));
        }
    }

    record Release(Event event) implements ModelStep {
        @Override
        public String toString() {
            return "release " + RandomEvents.describe(event);
        }

        @Override
        public String on(StoreTransaction transaction) {
            return transaction.findHeld(event.id()).isPresent() ? answer(transaction.release(event.id())) : "not held";
        }

        @Override
        public String on(NaiveStore model) {
            return model.findHeld(event.id()).isPresent()
                    ? answer(model, event, () -> model.release(event.id()))
                    : "not held";
        }
    }

    record Drop(EventId id) implements ModelStep {
        @Override
        public String on(StoreTransaction transaction) {
            return "dropped " + transaction.drop(id).map(Held::event);
        }

        @Override
        public String on(NaiveStore model) {
            return "dropped " + model.drop(id);
        }
    }

    record Withdraw(EventId id) implements ModelStep {
        @Override
        public String on(StoreTransaction transaction) {
            return "withdrawn " + transaction.withdraw(id);
        }

        @Override
        public String on(NaiveStore model) {
            return "withdrawn " + model.withdraw(id);
        }
    }

    record BanAuthor(PublicKey author) implements ModelStep {
        @Override
        public String on(StoreTransaction transaction) {
            transaction.ban(author, "spam");
            return "banned";
        }

        @Override
        public String on(NaiveStore model) {
            model.ban(author);
            return "banned";
        }
    }

    record BanEvent(EventId id) implements ModelStep {
        @Override
        public String on(StoreTransaction transaction) {
            transaction.ban(id, "spam");
            return "banned";
        }

        @Override
        public String on(NaiveStore model) {
            model.ban(id);
            return "banned";
        }
    }

    record Unban(PublicKey author, EventId id) implements ModelStep {
        @Override
        public String on(StoreTransaction transaction) {
            return "unbanned " + transaction.unban(author) + " " + transaction.unban(id);
        }

        @Override
        public String on(NaiveStore model) {
            return "unbanned " + model.unban(author) + " " + model.unban(id);
        }
    }

    /// What OK says, and which held rows went.
    private static String answer(SaveOutcome outcome) {
        var gone = switch (outcome) {
            case SaveOutcome.Served served -> served.dropped();
            case SaveOutcome.Waiting waiting -> waiting.replaced();
            case SaveOutcome.Gated _, SaveOutcome.Known _, SaveOutcome.Refused _ -> List.<Held>of();
        };
        var ids = gone.stream().map(row -> row.event().id()).sorted().toList();
        return outcome.isAccepted() + " " + outcome.message() + ", gone: " + ids;
    }

    private static String answer(NaiveStore model, Event event, Supplier<String> change) {
        var before = model.held();
        var answer = change.get();
        var after = model.held();
        var ids = before.stream()
                .filter(row -> !after.contains(row) && !row.equals(event))
                .map(Event::id)
                .sorted()
                .toList();
        return answer + ", gone: " + ids;
    }
}
