package dev.grapnel.store;

import dev.grapnel.nostr.rule.DeletionRequest;
import dev.grapnel.nostr.url.ServiceAddress;
import java.time.Duration;
import java.util.List;

/// What an operator may change about deletion (service 4.9).
///
/// @param services the addresses under which requests to vanish may name this relay
/// @param respectsDeletion false in disrespector mode (service 4.9.9)
/// @param targetsMax targets one deletion request may name
/// @param gateTime how long a deletion request of an unknown author blocks
/// @param gateTargetsMax targets of all gates together
/// @param gateTargetsPerAuthor targets of one author's gates
/// @param gateBytesMax bytes of all gates together
/// @param retention how long requests are served and block
public record StoreRules(
        List<ServiceAddress> services,
        boolean respectsDeletion,
        int targetsMax,
        Duration gateTime,
        int gateTargetsMax,
        int gateTargetsPerAuthor,
        long gateBytesMax,
        RequestRetention retention) {
    /// Service 4.9, for a relay that is known by no name.
    public static final StoreRules DEFAULTS = new StoreRules(
            List.of(),
            true,
            DeletionRequest.TARGETS_MAX,
            Duration.ofDays(30),
            200_000,
            2_048,
            256L << 20,
            RequestRetention.DEFAULTS);

    /// @throws IllegalArgumentException naming the setting that cannot be
    public StoreRules {
        services = List.copyOf(services);
        if (targetsMax < 1) {
            throw new IllegalArgumentException("a deletion request must be allowed at least 1 target");
        }
        if (gateTime.isNegative() || gateTargetsMax < 0 || gateTargetsPerAuthor < 0 || gateBytesMax < 0) {
            throw new IllegalArgumentException("the bounds of deletion gates must not be negative");
        }
    }

    /// The same with other names of this relay.
    public StoreRules withServices(List<ServiceAddress> names) {
        return new StoreRules(
                names,
                respectsDeletion,
                targetsMax,
                gateTime,
                gateTargetsMax,
                gateTargetsPerAuthor,
                gateBytesMax,
                retention);
    }

    /// The same with other times of requests.
    public StoreRules withRetention(RequestRetention times) {
        return new StoreRules(
                services,
                respectsDeletion,
                targetsMax,
                gateTime,
                gateTargetsMax,
                gateTargetsPerAuthor,
                gateBytesMax,
                times);
    }
}
