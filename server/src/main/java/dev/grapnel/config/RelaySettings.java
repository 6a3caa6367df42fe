package dev.grapnel.config;

import static dev.grapnel.config.Setting.own;
import static dev.grapnel.config.Setting.ownUnset;
import static dev.grapnel.config.Setting.peers;
import static dev.grapnel.config.ValueTypes.BOOLEAN;
import static dev.grapnel.config.ValueTypes.listOf;
import static dev.grapnel.config.ValueTypes.number;
import static dev.grapnel.config.ValueTypes.oneOf;
import static dev.grapnel.config.ValueTypes.seconds;

import dev.grapnel.config.Setting.Stage;
import java.time.Duration;
import java.util.List;

/// Settings of the relay (relay, first table, 6.6 and 6.7).
public final class RelaySettings {
    /// When authentication is asked for (relay 5.2).
    public enum Auth {
        OFF,
        ON,
        REQUIRED
    }

    /// When what was stored reaches the device (relay 7.7).
    public enum StoreDurability {
        SYNC,
        INTERVAL,
        NONE
    }

    public static final Setting<Long> MAX_MESSAGE_LENGTH =
            own("MAX_MESSAGE_LENGTH", number(1, 1 << 30), "5242880", "Largest message of a client, in bytes.");
    public static final Setting<Long> MAX_EVENT_BYTES = own(
                    "MAX_EVENT_BYTES", number(1, 1 << 30), "2097152", "Largest event, in bytes of its normal form.")
            .withAlias("RELAY_MAX_EVENT_SIZE_BYTES");
    public static final Setting<Long> MAX_EVENT_TAGS =
            own("MAX_EVENT_TAGS", number(0, 1 << 24), "25000", "Most tags of an event.");
    public static final Setting<Long> MAX_TAG_VALUE_BYTES =
            own("MAX_TAG_VALUE_BYTES", number(1, 1 << 30), "65536", "Longest element of a tag, in bytes.");
    public static final Setting<Long> MAX_CONTENT_LENGTH =
            own("MAX_CONTENT_LENGTH", number(0, 1 << 30), "524288", "Longest content, in characters.");
    public static final Setting<Long> MAX_JSON_DEPTH =
            own("MAX_JSON_DEPTH", number(4, 1_000), "32", "How deep JSON may be nested.");
    public static final Setting<Long> MAX_SUBSCRIPTIONS = own(
                    "MAX_SUBSCRIPTIONS", number(1, 1 << 20), "500", "Open subscriptions of a connection.")
            .withAlias("RELAY_MAX_SUBSCRIPTIONS");
    public static final Setting<Long> MAX_SUBID_LENGTH =
            own("MAX_SUBID_LENGTH", number(1, 256), "64", "Longest subscription id, in characters.");
    public static final Setting<Long> MAX_FILTERS =
            own("MAX_FILTERS", number(1, 1 << 20), "200", "Most filters of a request.");
    public static final Setting<Long> MAX_FILTER_VALUES =
            own("MAX_FILTER_VALUES", number(1, 1 << 24), "25000", "Most values in all filters of a request.");
    public static final Setting<Long> MAX_FILTER_BYTES =
            own("MAX_FILTER_BYTES", number(1, 1 << 30), "8388608", "Bytes of the open requests of a connection.");
    public static final Setting<Long> MAX_TAG_CONDITIONS =
            own("MAX_TAG_CONDITIONS", number(1, 52), "8", "Most tag conditions of a filter.");
    public static final Setting<Long> MAX_LIMIT = own(
                    "MAX_LIMIT", number(1, 1 << 24), "5000", "Most stored events that answer a filter.")
            .withAlias("RELAY_FILTER_LIMIT");
    public static final Setting<Long> DEFAULT_LIMIT = own(
                    "DEFAULT_LIMIT", number(1, 1 << 24), "5000", "The same for a filter without a limit.")
            .withAlias("RELAY_FILTER_LIMIT");
    public static final Setting<Long> MAX_COUNT = own("MAX_COUNT", number(1), "1000000", "Where counting stops.");
    public static final Setting<Long> NEG_MAX_ITEMS =
            own("NEG_MAX_ITEMS", number(1, 1 << 26), "1000000", "Largest set that negentropy compares.");
    public static final Setting<Duration> CREATED_AT_UPPER_LIMIT =
            own("CREATED_AT_UPPER_LIMIT", seconds(0), "900", "How far ahead an event may be dated.");
    public static final Setting<Duration> CREATED_AT_LOWER_LIMIT =
            ownUnset("CREATED_AT_LOWER_LIMIT", seconds(0), "How old an event may be; any age otherwise.");
    public static final Setting<Duration> EPHEMERAL_MAX_AGE =
            own("EPHEMERAL_MAX_AGE", seconds(0), "300", "How old an ephemeral event may be.");
    public static final Setting<Long> MAX_OUTBOUND_BYTES = own(
            "MAX_OUTBOUND_BYTES",
            number(1 << 16, 1L << 40),
            "33554432",
            "Unsent bytes at which a slow reader is disconnected.");
    public static final Setting<Duration> PING_INTERVAL =
            own("PING_INTERVAL", seconds(1), "55", "Silence after which a client is pinged.");
    public static final Setting<Long> MIN_POW_DIFFICULTY =
            own("MIN_POW_DIFFICULTY", number(0, 256), "0", "Leading zero bits that the id of an event must have.");
    public static final Setting<Auth> AUTH =
            own("AUTH", oneOf(Auth.class), "on", "Authentication of clients: off, on (where it is needed), required.");
    public static final Setting<Long> AUTH_ATTEMPTS =
            own("AUTH_ATTEMPTS", number(1, 1 << 20), "30", "Attempts of a connection in a minute.");
    public static final Setting<List<Long>> RESTRICTED_READ_KINDS = own(
                    "RESTRICTED_READ_KINDS",
                    listOf(number(0, 65_535)),
                    "4,1059,21059",
                    "Kinds that only their authors and recipients may read.")
            .allowingEmpty();
    public static final Setting<Boolean> COUNT = own("COUNT", BOOLEAN, "true", "Answers COUNT (NIP-45).");
    public static final Setting<Boolean> COUNT_HLL =
            own("COUNT_HLL", BOOLEAN, "true", "Adds HyperLogLog registers to it.");
    public static final Setting<Boolean> NEGENTROPY =
            own("NEGENTROPY", BOOLEAN, "true", "Answers negentropy sessions (NIP-77).");
    public static final Setting<Boolean> SEARCH = own("SEARCH", BOOLEAN, "false", "Answers full-text search (NIP-50).")
            .at(Stage.LATER);
    public static final Setting<Boolean> EOSE_HINT =
            own("EOSE_HINT", BOOLEAN, "false", "Says with EOSE whether a limit cut the answer (NIP-67).");
    public static final Setting<Long> MAX_CONNECTIONS =
            peers("MAX_CONNECTIONS", number(1, 1 << 24), "20000", "WebSocket connections in total.");
    public static final Setting<Long> CONNECTIONS_PER_IP =
            own("CONNECTIONS_PER_IP", number(1, 1 << 24), "100", "WebSocket connections of one address.");
    public static final Setting<Long> NEW_CONNECTIONS_PER_MINUTE_PER_IP =
            own("NEW_CONNECTIONS_PER_MINUTE_PER_IP", number(1), "60", "New connections of one address in a minute.");
    public static final Setting<Long> NEW_CONNECTIONS_BURST_PER_IP =
            own("NEW_CONNECTIONS_BURST_PER_IP", number(1), "200", "So many at once.");
    public static final Setting<Long> EVENTS_PER_SECOND_PER_IP =
            own("EVENTS_PER_SECOND_PER_IP", number(1), "50", "Events of one address in a second.");
    public static final Setting<Long> EVENTS_BURST_PER_IP =
            own("EVENTS_BURST_PER_IP", number(1), "1000", "So many at once.");
    public static final Setting<Long> QUERIES_PER_SECOND_PER_IP = own(
            "QUERIES_PER_SECOND_PER_IP", number(1), "50", "Requests, counts and sessions of one address in a second.");
    public static final Setting<Long> QUERIES_BURST_PER_IP =
            own("QUERIES_BURST_PER_IP", number(1), "500", "So many at once.");
    public static final Setting<List<Cidr>> RATE_LIMIT_EXEMPT =
            own("RATE_LIMIT_EXEMPT", ServiceSettings.CIDRS, "", "Addresses without these limits.");
    public static final Setting<ForwardedHeader> FORWARDED_HEADER = own(
            "FORWARDED_HEADER",
            ForwardedHeader.TYPE,
            "auto",
            "Header in which a proxy names the client; auto takes the first that is there.");
    public static final Setting<StoreDurability> STORE_DURABILITY = own(
            "STORE_DURABILITY",
            oneOf(StoreDurability.class),
            "sync",
            "When events reach the device: sync (before OK), interval (several times a second), none.");

    static final List<Setting<?>> ALL = List.of(
            MAX_MESSAGE_LENGTH,
            MAX_EVENT_BYTES,
            MAX_EVENT_TAGS,
            MAX_TAG_VALUE_BYTES,
            MAX_CONTENT_LENGTH,
            MAX_JSON_DEPTH,
            MAX_SUBSCRIPTIONS,
            MAX_SUBID_LENGTH,
            MAX_FILTERS,
            MAX_FILTER_VALUES,
            MAX_FILTER_BYTES,
            MAX_TAG_CONDITIONS,
            MAX_LIMIT,
            DEFAULT_LIMIT,
            MAX_COUNT,
            NEG_MAX_ITEMS,
            CREATED_AT_UPPER_LIMIT,
            CREATED_AT_LOWER_LIMIT,
            EPHEMERAL_MAX_AGE,
            MAX_OUTBOUND_BYTES,
            PING_INTERVAL,
            MIN_POW_DIFFICULTY,
            AUTH,
            AUTH_ATTEMPTS,
            RESTRICTED_READ_KINDS,
            COUNT,
            COUNT_HLL,
            NEGENTROPY,
            SEARCH,
            EOSE_HINT,
            MAX_CONNECTIONS,
            CONNECTIONS_PER_IP,
            NEW_CONNECTIONS_PER_MINUTE_PER_IP,
            NEW_CONNECTIONS_BURST_PER_IP,
            EVENTS_PER_SECOND_PER_IP,
            EVENTS_BURST_PER_IP,
            QUERIES_PER_SECOND_PER_IP,
            QUERIES_BURST_PER_IP,
            RATE_LIMIT_EXEMPT,
            FORWARDED_HEADER,
            STORE_DURABILITY);

    private RelaySettings() {}
}
