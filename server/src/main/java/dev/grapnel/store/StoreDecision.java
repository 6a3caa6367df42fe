package dev.grapnel.store;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.rule.DeletionRequest;
import dev.grapnel.nostr.rule.Expiration;
import dev.grapnel.nostr.rule.VanishRequest;
import dev.grapnel.store.SaveOutcome.Why;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What the store does with an event (relay 4.10), as a pure function of the event, of what the transaction
/// sees, of the rules and of the time. The numbers in the code are the steps of that section.
///
/// Not final only because a test takes the steps away one by one, to see that each is missed.
public class StoreDecision {
    private final StoreRules rules;

    public StoreDecision(StoreRules rules) {
        this.rules = rules;
    }

    /// What the operator chose.
    public final StoreRules rules() {
        return rules;
    }

    /// Why the question is asked.
    public enum Purpose {
        /// It shall be served.
        SERVE,
        /// It shall wait.
        HOLD,
        /// It has waited and shall be served: that it is held is no obstacle.
        RELEASE,
        /// The operator brings it: his deletion requests need no known author.
        RESTORE
    }

    /// The answer.
    public sealed interface Decision {
        /// Take it, with all effects.
        record Take() implements Decision {}

        /// Keep the deletion request unserved.
        record Gate(DeletionRequest request) implements Decision {}

        /// It is here.
        record Known(boolean held) implements Decision {}

        /// Do not take it.
        ///
        /// @param used the deletions that refuse it, which have been of use once more
        record Refuse(Refusal refusal, Why why, List<Block> used) implements Decision {
            public Refuse {
                used = List.copyOf(used);
            }
        }
    }

    /// A deletion that covers an event.
    ///
    /// @param request the request
    /// @param gate whether that is not served yet
    public record Block(EventId request, PublicKey deleter, Target target, boolean gate) {}

    /// What a deletion names.
    public sealed interface Target {
        record ById(EventId id) implements Target {}

        record ByAddress(Address address) implements Target {}

        /// Everything of its author up to a date: a request to vanish.
        record Everything() implements Target {}
    }

    /// What a transaction sees.
    public interface Sight {
        /// Served and not expired.
        boolean isServed(EventId id);

        boolean isHeld(EventId id);

        boolean isGated(EventId id);

        /// Whether a request to delete or to vanish has left service and blocks still.
        boolean isRetired(EventId request);

        boolean isBanned(Event event);

        /// The newest request to vanish of this author.
        Optional<Version> findVanish(PublicKey author);

        /// The tombstone and the gates for an id.
        List<Block> deletions(PublicKey deleter, EventId id);

        /// The tombstone and the gates for an address that cover this date.
        List<Block> deletions(Address address, long createdAt);

        /// The served version of an address, unless it has expired.
        Optional<Version> findCurrentVersion(Address address);

        /// The held version of an announcement's address, unless it has expired.
        Optional<Version> findHeldVersion(Address address);

        /// Whether the request's author has something here, or it targets something of its own.
        boolean isKnown(DeletionRequest request);
    }

    /// Decides.
    public Decision judge(Event event, Purpose purpose, Sight sight, Instant now) {
        if (sight.isServed(event.id())) { // 1
            return new Decision.Known(false);
        }
        if (purpose != Purpose.RELEASE && sight.isHeld(event.id())) {
            return new Decision.Known(true);
        }
        var form = judgeForm(event);
        if (form.isPresent()) {
            return refuse(form.get());
        }
        return judgeObstacle(event, sight)
                .map(Decision.class::cast)
                .or(() -> judgeExpiry(event, now)) // 6
                .or(() -> judgeVersion(event, purpose, sight)) // 7
                .orElseGet(() -> judgeRequest(event, purpose, sight)); // 8
    }

    /// Steps 2 to 5: what keeps an event away, whatever its date and version.
    public Optional<Decision.Refuse> judgeObstacle(Event event, Sight sight) {
        if (sight.isBanned(event)) { // 2
            return Optional.of(blocked("the operator of this relay has banned this event or its author"));
        }
        if (!rules.respectsDeletion()) {
            return Optional.empty();
        }
        return judgeVanish(event, sight).or(() -> judgeDeletion(event, sight)); // 3, 4, 5
    }

    private Optional<Refusal> judgeForm(Event event) {
        if (event.kindClass() == KindClass.EPHEMERAL) {
            return Optional.of(Refusal.invalid("ephemeral events are not stored"));
        }
        return switch (event.kind()) {
            case Kinds.DELETION -> findReason(DeletionRequest.parse(event, rules.targetsMax()));
            case Kinds.VANISH ->
                findReason(VanishRequest.parse(event))
                        .or(() -> judgeRelay(VanishRequest.parse(event).require()));
            default -> Optional.empty();
        };
    }

    private static <T> Optional<Refusal> findReason(Parsed<T> parsed) {
        return switch (parsed) {
            case Parsed.Valid<T> _ -> Optional.empty();
            case Parsed.Invalid<T>(var reason) -> Optional.of(Refusal.invalid(reason));
        };
    }

    private Optional<Refusal> judgeRelay(VanishRequest request) {
        boolean named = request.relays().contains(VanishRequest.ALL_RELAYS)
                || rules.services().stream().anyMatch(request::names);
        return named ? Optional.empty() : Optional.of(new Refusal(Prefix.BLOCKED, "request does not name this relay"));
    }

    private static Optional<Decision.Refuse> judgeVanish(Event event, Sight sight) {
        for (var person : concerned(event)) {
            var vanish = sight.findVanish(person);
            if (vanish.isEmpty() || event.createdAt() > vanish.get().createdAt()) {
                continue;
            }
            boolean equalRequest = event.kind() == Kinds.VANISH
                    && event.createdAt() == vanish.get().createdAt();
            if (!equalRequest) {
                return Optional.of(vanished(person, vanish.get()));
            }
            if (event.isOlderThan(vanish.get())) {
                return Optional.of(outdated(Why.SUPERSEDED));
            }
        }
        return Optional.empty();
    }

    private static Decision.Refuse vanished(PublicKey person, Version vanish) {
        var refusal =
                new Refusal(Prefix.BLOCKED, "its author asked this relay to forget everything up to a later date");
        return new Decision.Refuse(
                refusal, Why.FINAL, List.of(new Block(vanish.id(), person, new Target.Everything(), false)));
    }

    private static Optional<Decision.Refuse> judgeDeletion(Event event, Sight sight) {
        if (event.kind() == Kinds.DELETION || event.kind() == Kinds.VANISH) {
            return Optional.empty();
        }
        var blocks = new ArrayList<Block>();
        concerned(event).forEach(person -> blocks.addAll(sight.deletions(person, event.id())));
        event.findAddress().ifPresent(address -> blocks.addAll(sight.deletions(address, event.createdAt())));
        var refusal = new Refusal(Prefix.BLOCKED, "deletion of this event was requested by its author");
        return blocks.isEmpty() ? Optional.empty() : Optional.of(new Decision.Refuse(refusal, Why.DELETED, blocks));
    }

    /// Whose word counts about an event: its author's, and the recipients' of a gift wrap, whose key is random.
    private static List<PublicKey> concerned(Event event) {
        if (event.kind() != Kinds.GIFT_WRAP) {
            return List.of(event.author());
        }
        var recipients = event.tags().values("p").stream().flatMap(value -> PublicKey.parse(value).find().stream());
        return Stream.concat(Stream.of(event.author()), recipients).distinct().toList();
    }

    private static Optional<Decision> judgeExpiry(Event event, Instant now) {
        return switch (Expiration.of(event)) {
            case Parsed.Invalid<Expiration>(var reason) -> Optional.of(refuse(Refusal.invalid(reason)));
            case Parsed.Valid<Expiration>(var expiration) ->
                expiration.isOver(now) ? Optional.of(refuse(Refusal.invalid("event has expired"))) : Optional.empty();
        };
    }

    /// Announcements lose against newer held ones too; of states several may be held side by side (purgatory
    /// P-112).
    private static Optional<Decision> judgeVersion(Event event, Purpose purpose, Sight sight) {
        var address = event.findAddress();
        if (address.flatMap(sight::findCurrentVersion)
                .filter(event::isOlderThan)
                .isPresent()) {
            return Optional.of(outdated(Why.SUPERSEDED));
        }
        return address.filter(_ -> purpose != Purpose.RELEASE && event.kind() == Kinds.ANNOUNCEMENT)
                .flatMap(sight::findHeldVersion)
                .filter(event::isOlderThan)
                .map(_ -> outdated(Why.SUPERSEDED_BY_HELD));
    }

    /// A request that has left service and blocks still is known: a copy neither serves it again nor gives it
    /// more time, or any relay that still has it could keep it here for ever by sending it.
    private static Decision judgeRequest(Event event, Purpose purpose, Sight sight) {
        boolean isRequest = event.kind() == Kinds.DELETION || event.kind() == Kinds.VANISH;
        if (isRequest && sight.isRetired(event.id())) {
            return new Decision.Known(false);
        }
        if (event.kind() != Kinds.DELETION || purpose == Purpose.RESTORE) {
            return new Decision.Take();
        }
        var request = DeletionRequest.parse(event, Integer.MAX_VALUE).require();
        return sight.isKnown(request) ? new Decision.Take() : new Decision.Gate(request);
    }

    private static Decision.Refuse refuse(Refusal refusal) {
        return new Decision.Refuse(refusal, Why.FINAL, List.of());
    }

    private static Decision.Refuse blocked(String text) {
        return refuse(new Refusal(Prefix.BLOCKED, text));
    }

    private static Decision.Refuse outdated(Why why) {
        return new Decision.Refuse(new Refusal(Prefix.DUPLICATE, "have a newer version"), why, List.of());
    }
}
