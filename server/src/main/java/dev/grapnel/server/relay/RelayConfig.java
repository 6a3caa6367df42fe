package dev.grapnel.server.relay;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.RelaySettings;
import dev.grapnel.config.RelaySettings.Auth;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.filter.FilterLimits;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.store.QueryLimits;
import java.util.Set;
import java.util.stream.Collectors;

/// What the relay allows and offers (relay, first table, 6.6).
///
/// @param filterBytesMax bytes of the open REQ messages of one connection
/// @param filterBytesTotal memory that the open subscriptions of all connections may take
/// @param counts whether COUNT is answered
/// @param estimates whether COUNT estimates distinct authors
/// @param authAttempts AUTH messages of a connection within a minute
/// @param restrictedKinds kinds that only authors and recipients may read
/// @param hints whether EOSE says if there is more (NIP-67)
/// @param outboundMax unsent bytes of a connection before it is cut
/// @param sessionBytesTotal memory that the negentropy sessions of all connections may take
public record RelayConfig(
        MessageLimits messages,
        EventRules rules,
        QueryLimits queries,
        int subscriptionsMax,
        long filterBytesMax,
        long filterBytesTotal,
        boolean counts,
        boolean estimates,
        long countMax,
        int itemsMax,
        long sessionBytesTotal,
        Auth auth,
        int authAttempts,
        Set<Integer> restrictedKinds,
        boolean hints,
        long outboundMax) {
    /// Steps through posting lists before a question is given up (relay 7.4).
    private static final long STEPS_MAX = 5_000_000;

    private static final long SESSION_BYTES_MAX = 256L << 20;

    public RelayConfig {
        restrictedKinds = Set.copyOf(restrictedKinds);
    }

    /// What the operator set.
    ///
    /// @param heapBytes memory this process may use
    public static RelayConfig of(Configuration settings, long heapBytes) {
        return new RelayConfig(
                messages(settings),
                rules(settings),
                new QueryLimits(
                        settings.require(RelaySettings.MAX_LIMIT),
                        Math.min(
                                settings.require(RelaySettings.DEFAULT_LIMIT),
                                settings.require(RelaySettings.MAX_LIMIT)),
                        STEPS_MAX),
                number(settings.require(RelaySettings.MAX_SUBSCRIPTIONS)),
                settings.require(RelaySettings.MAX_FILTER_BYTES),
                heapBytes / 4,
                settings.require(RelaySettings.COUNT),
                settings.require(RelaySettings.COUNT_HLL),
                settings.require(RelaySettings.MAX_COUNT),
                number(settings.require(RelaySettings.NEG_MAX_ITEMS)),
                Math.min(SESSION_BYTES_MAX, heapBytes / 8),
                settings.require(RelaySettings.AUTH),
                number(settings.require(RelaySettings.AUTH_ATTEMPTS)),
                settings.require(RelaySettings.RESTRICTED_READ_KINDS).stream()
                        .map(RelayConfig::number)
                        .collect(Collectors.toSet()),
                settings.require(RelaySettings.EOSE_HINT),
                settings.require(RelaySettings.MAX_OUTBOUND_BYTES));
    }

    private static MessageLimits messages(Configuration settings) {
        return new MessageLimits(
                new EventLimits(
                        number(settings.require(RelaySettings.MAX_EVENT_BYTES)),
                        number(settings.require(RelaySettings.MAX_EVENT_TAGS)),
                        number(settings.require(RelaySettings.MAX_TAG_VALUE_BYTES)),
                        number(settings.require(RelaySettings.MAX_CONTENT_LENGTH)),
                        number(settings.require(RelaySettings.MAX_JSON_DEPTH))),
                new FilterLimits(
                        number(settings.require(RelaySettings.MAX_FILTERS)),
                        number(settings.require(RelaySettings.MAX_FILTER_VALUES)),
                        number(settings.require(RelaySettings.MAX_TAG_CONDITIONS)),
                        false), // NIP-50 is not built yet
                number(settings.require(RelaySettings.MAX_SUBID_LENGTH)),
                settings.require(RelaySettings.NEGENTROPY));
    }

    private static EventRules rules(Configuration settings) {
        return new EventRules(
                settings.require(RelaySettings.CREATED_AT_UPPER_LIMIT),
                settings.find(RelaySettings.CREATED_AT_LOWER_LIMIT).orElse(EventRules.ANY_AGE),
                settings.require(RelaySettings.EPHEMERAL_MAX_AGE),
                number(settings.require(RelaySettings.MIN_POW_DIFFICULTY)));
    }

    private static int number(long value) {
        return Math.toIntExact(value);
    }
}
