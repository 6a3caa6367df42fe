package dev.grapnel.sync.world;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// What a relay says of itself (NIP-11), as far as sync cares. It tunes sizes; it decides nothing alone (R4.5).
///
/// @param messageMax `max_message_length`
/// @param subscriptionsMax `max_subscriptions`
/// @param limitMax `max_limit`
/// @param filtersMax `max_filters`
/// @param authRequired `auth_required`
/// @param grasps `supported_grasps` in upper case; empty if the field is absent
public record RelayInformation(
        OptionalInt messageMax,
        OptionalInt subscriptionsMax,
        OptionalInt limitMax,
        OptionalInt filtersMax,
        boolean authRequired,
        Optional<Set<String>> grasps) {
    /// Of a relay that says nothing.
    public static final RelayInformation NONE = new RelayInformation(
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            false,
            Optional.empty());

    public RelayInformation {
        grasps = grasps.map(Set::copyOf);
    }

    /// Whether it is a GRASP server (R8.6).
    public boolean isGrasp() {
        return grasps.isPresent();
    }

    /// Whether it is a private service (R4.5a).
    public boolean isPrivate() {
        return grasps.map(names -> names.contains("GRASP-08")).orElse(false);
    }
}
