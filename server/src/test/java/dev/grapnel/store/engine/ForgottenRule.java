package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.rule.DeletionRequest;
import dev.grapnel.store.StoreDecision;
import dev.grapnel.store.StoreRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A rule of relay 4.10 that a store without it must be found out by. The number is the step.
enum ForgottenRule {
    /// Nothing is forgotten.
    NONE,
    SERVED_1,
    HELD_1,
    BANS_2,
    VANISHED_3,
    TOMBSTONES_OF_IDS_4,
    TOMBSTONES_OF_RECIPIENTS_4,
    GATES_OF_IDS_4,
    TOMBSTONES_OF_ADDRESSES_5,
    GATES_OF_ADDRESSES_5,
    EXPIRY_6,
    SERVED_VERSIONS_7,
    HELD_VERSIONS_7,
    /// A request that left service is new when it comes again.
    RETIRED_8,
    /// Every request is ordinary.
    STRANGERS_8,
    /// No request is ordinary.
    ACQUAINTANCES_8;

    /// A decision that looks at everything but this.
    StoreDecision decision(StoreRules rules) {
        return new StoreDecision(rules) {
            @Override
            public Decision judge(Event event, Purpose purpose, Sight sight, Instant now) {
                var time = ForgottenRule.this == EXPIRY_6 ? Instant.EPOCH : now;
                return super.judge(event, purpose, new Blinkered(event, sight), time);
            }
        };
    }

    /// Sees what a transaction sees, except for what is forgotten.
    private final class Blinkered implements StoreDecision.Sight {
        private final Event event;
        private final StoreDecision.Sight sight;

        Blinkered(Event event, StoreDecision.Sight sight) {
            this.event = event;
            this.sight = sight;
        }

        private boolean isForgotten(ForgottenRule rule) {
            return ForgottenRule.this == rule;
        }

        @Override
        public boolean isServed(EventId id) {
            return !isForgotten(SERVED_1) && sight.isServed(id);
        }

        @Override
        public boolean isHeld(EventId id) {
            return !isForgotten(HELD_1) && sight.isHeld(id);
        }

        @Override
        public boolean isGated(EventId id) {
            return sight.isGated(id);
        }

        @Override
        public boolean isRetired(EventId request) {
            return !isForgotten(RETIRED_8) && sight.isRetired(request);
        }

        @Override
        public boolean isBanned(Event any) {
            return !isForgotten(BANS_2) && sight.isBanned(any);
        }

        @Override
        public Optional<Version> findVanish(PublicKey author) {
            return isForgotten(VANISHED_3) ? Optional.empty() : sight.findVanish(author);
        }

        @Override
        public List<StoreDecision.Block> deletions(PublicKey deleter, EventId id) {
            boolean isRecipient = !deleter.equals(event.author());
            return sight.deletions(deleter, id).stream()
                    .filter(block -> !isForgotten(block.gate() ? GATES_OF_IDS_4 : TOMBSTONES_OF_IDS_4))
                    .filter(_ -> !(isRecipient && isForgotten(TOMBSTONES_OF_RECIPIENTS_4)))
                    .toList();
        }

        @Override
        public List<StoreDecision.Block> deletions(Address address, long createdAt) {
            return sight.deletions(address, createdAt).stream()
                    .filter(block -> !isForgotten(block.gate() ? GATES_OF_ADDRESSES_5 : TOMBSTONES_OF_ADDRESSES_5))
                    .toList();
        }

        @Override
        public Optional<Version> findCurrentVersion(Address address) {
            return isForgotten(SERVED_VERSIONS_7) ? Optional.empty() : sight.findCurrentVersion(address);
        }

        @Override
        public Optional<Version> findHeldVersion(Address address) {
            return isForgotten(HELD_VERSIONS_7) ? Optional.empty() : sight.findHeldVersion(address);
        }

        @Override
        public boolean isKnown(DeletionRequest request) {
            return isForgotten(STRANGERS_8) || (!isForgotten(ACQUAINTANCES_8) && sight.isKnown(request));
        }
    }
}
