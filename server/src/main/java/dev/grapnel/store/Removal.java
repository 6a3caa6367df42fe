package dev.grapnel.store;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.key.PublicKey;
import java.util.Arrays;
import java.util.Optional;

/// A served event left service.
///
/// @param identifier its `d` value, if its kind is addressable; else empty
public record Removal(EventId id, PublicKey author, int kind, long createdAt, String identifier, Reason reason) {
    /// Why.
    public enum Reason {
        REPLACED(0),
        DELETED(1),
        VANISHED(2),
        /// Its own date has come, or it is a request whose time in service is over (service 4.9.3).
        EXPIRED(3),
        BANNED(4),
        /// Its last repository went (service 4.9.6), or the operator took it out.
        WITHDRAWN(5);

        private final int code;

        Reason(int code) {
            this.code = code;
        }

        /// How it is written to disk.
        public int code() {
            return code;
        }

        /// The reason with this code.
        public static Optional<Reason> find(int code) {
            return Arrays.stream(values()).filter(reason -> reason.code == code).findFirst();
        }
    }

    /// The address its versions share, if its kind has one.
    public Optional<Address> findAddress() {
        return KindClass.of(kind).hasAddress() ? Optional.of(new Address(kind, author, identifier)) : Optional.empty();
    }
}
