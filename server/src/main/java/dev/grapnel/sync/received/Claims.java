package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.References;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongPredicate;

/// What an event needs while it is in the gate, for itself or beside others, as hashes. What an event *is* must be its
/// own (its id, its address, an identifier whose announcements or states it changes); what it only refers to may be
/// shared by those who do no more, or the thousand comments of one repository would wait for a commit each.
///
/// Nobody has looked at a signature yet, so only so many references are claimed as the policy looks at. A request to
/// delete acts on all that it names, and one to vanish names nothing: either acts on its author's events alone. So
/// everybody shares a key of its author, and who removes more than is claimed has that to itself.
final class Claims {
    /// Of who needs nothing.
    static final Claims NONE = new Claims(Set.of(), Set.of());

    private final long[] own;
    private final long[] shared;
    /// Which of them, own ones first, was in the way when it was last tried.
    private int obstacle;

    /// @param shared those that are its own as well are that
    Claims(Set<Long> own, Set<Long> shared) {
        this.own = own.stream().mapToLong(Long::longValue).toArray();
        this.shared = shared.stream()
                .filter(key -> !own.contains(key))
                .mapToLong(Long::longValue)
                .toArray();
    }

    static Claims of(Event event, KeyHash hashes) {
        return new Collection(hashes).of(event);
    }

    long[] own() {
        return own;
    }

    long[] shared() {
        return shared;
    }

    /// Whether all its keys are free. What was in the way last time is looked at first: an event that cannot go is
    /// tried after each one that has left the gate.
    boolean areFree(LongPredicate isFreeForOne, LongPredicate isFreeForMany) {
        int count = own.length + shared.length;
        for (int looks = 0; looks < count; looks++) {
            int key = obstacle + looks < count ? obstacle + looks : obstacle + looks - count;
            boolean isFree =
                    key < own.length ? isFreeForOne.test(own[key]) : isFreeForMany.test(shared[key - own.length]);
            if (!isFree) {
                obstacle = key;
                return false;
            }
        }
        return true;
    }

    private static final class Collection {
        private final KeyHash hashes;
        private final Set<Long> own = new LinkedHashSet<>();
        private final Set<Long> shared = new LinkedHashSet<>();

        private Collection(KeyHash hashes) {
            this.hashes = hashes;
        }

        private Claims of(Event event) {
            own.add(hashes.of(event.id().toHex()));
            event.findAddress().map(Address::toString).ifPresent(address -> own.add(hashes.of(address)));
            if (event.kind() == Kinds.ANNOUNCEMENT || event.kind() == Kinds.STATE) {
                own.add(ofIdentifier(Dependency.identifier(event)));
            }
            boolean isRemoving = event.kind() == Kinds.DELETION || event.kind() == Kinds.VANISH;
            var keys = isRemoving ? own : shared;
            References.of(event).map(tag -> tag.element(1)).forEach(value -> claim(value, keys));
            boolean removesMore =
                    event.kind() == Kinds.VANISH || (event.kind() == Kinds.DELETION && References.areTooMany(event));
            (removesMore ? own : shared).add(hashes.of(event.author()));
            return new Claims(own, shared);
        }

        private void claim(String value, Set<Long> keys) {
            var address = Dependency.findAddress(value);
            keys.add(hashes.of(address.orElse(value)));
            address.flatMap(text -> Address.parse(text).find())
                    .filter(found -> found.kind() == Kinds.ANNOUNCEMENT || found.kind() == Kinds.STATE)
                    .ifPresent(found -> keys.add(ofIdentifier(found.identifier())));
        }

        private long ofIdentifier(String identifier) {
            return hashes.of("d:" + identifier);
        }
    }
}
