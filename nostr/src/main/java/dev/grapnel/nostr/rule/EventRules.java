package dev.grapnel.nostr.rule;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.event.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What every incoming event must pass beside form, hash and signature (relay 1.5): kind, date, expiry, work.
///
/// @param aheadMax how far in the future an event may be dated
/// @param ageMax how old an event may be
/// @param ephemeralAgeMax how old an ephemeral event may be
/// @param difficultyMin leading zero bits its id must have
public record EventRules(Duration aheadMax, Duration ageMax, Duration ephemeralAgeMax, int difficultyMin) {
    /// An age that no event has.
    public static final Duration ANY_AGE = Duration.ofSeconds(Long.MAX_VALUE);

    /// What a Grapnel relay enforces unless told otherwise.
    public static final EventRules DEFAULTS = new EventRules(Duration.ofMinutes(15), ANY_AGE, Duration.ofMinutes(5), 0);

    /// @throws IllegalArgumentException naming the setting that cannot be
    public EventRules {
        if (aheadMax.isNegative()) {
            throw new IllegalArgumentException("created-at-upper-limit must not be negative");
        }
        if (ageMax.isNegative()) {
            throw new IllegalArgumentException("created-at-lower-limit must not be negative");
        }
        if (ephemeralAgeMax.isNegative()) {
            throw new IllegalArgumentException("ephemeral-max-age must not be negative");
        }
        if (difficultyMin < 0 || difficultyMin > 256) {
            throw new IllegalArgumentException("min-pow-difficulty must be 0 to 256");
        }
    }

    /// Why the event is not taken now, if it is not.
    public Optional<Refusal> judge(Event event, Instant now) {
        return judgeKind(event)
                .or(() -> judgeDate(event, now.getEpochSecond()))
                .or(() -> judgeExpiry(event, now))
                .or(() -> ProofOfWork.judge(event, difficultyMin));
    }

    /// Whether the event is dated too far in the future.
    public boolean isAhead(Event event, Instant now) {
        return event.createdAt() - now.getEpochSecond() > aheadMax.toSeconds();
    }

    /// When the event's date is near enough, for one that [#isAhead]; whole seconds.
    public Instant nearFrom(Event event) {
        return Instant.ofEpochSecond(event.createdAt() - aheadMax.toSeconds());
    }

    private static Optional<Refusal> judgeKind(Event event) {
        return event.kind() == Kinds.RELAY_AUTH || event.kind() == Kinds.HTTP_AUTH
                ? Optional.of(Refusal.invalid("authentication events are never published"))
                : Optional.empty();
    }

    private Optional<Refusal> judgeDate(Event event, long now) {
        long age = now - event.createdAt();
        if (isAhead(event, Instant.ofEpochSecond(now))) {
            return Optional.of(Refusal.invalid(
                    "created_at is more than " + aheadMax.toSeconds() + " seconds in the future, check your clock"));
        }
        if (age > ageMax.toSeconds()) {
            return Optional.of(Refusal.invalid("created_at is more than " + ageMax.toSeconds() + " seconds ago"));
        }
        if (event.kindClass() == KindClass.EPHEMERAL && age > ephemeralAgeMax.toSeconds()) {
            return Optional.of(
                    Refusal.invalid("ephemeral event is more than " + ephemeralAgeMax.toSeconds() + " seconds old"));
        }
        return Optional.empty();
    }

    /// Ephemeral events are not kept, so when they expire makes no difference (relay 4.4).
    private static Optional<Refusal> judgeExpiry(Event event, Instant now) {
        return switch (Expiration.of(event)) {
            case Parsed.Invalid<Expiration>(var reason) -> Optional.of(Refusal.invalid(reason));
            case Parsed.Valid<Expiration>(var expiration)
            when event.kindClass() == KindClass.EPHEMERAL -> Optional.empty();
            case Parsed.Valid<Expiration>(var expiration) ->
                expiration.isOver(now) ? Optional.of(Refusal.invalid("event has expired")) : Optional.empty();
        };
    }
}
