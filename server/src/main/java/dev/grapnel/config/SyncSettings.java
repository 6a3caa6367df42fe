package dev.grapnel.config;

import static dev.grapnel.config.Setting.own;
import static dev.grapnel.config.Setting.peers;
import static dev.grapnel.config.ValueTypes.BOOLEAN;
import static dev.grapnel.config.ValueTypes.RELAY;
import static dev.grapnel.config.ValueTypes.hours;
import static dev.grapnel.config.ValueTypes.listOf;
import static dev.grapnel.config.ValueTypes.milliseconds;
import static dev.grapnel.config.ValueTypes.number;
import static dev.grapnel.config.ValueTypes.seconds;

import dev.grapnel.config.Setting.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Settings of proactive sync (sync 9.3, 13.6).
public final class SyncSettings {
    public static final Setting<Boolean> SYNC_ENABLED =
            own("SYNC_ENABLED", BOOLEAN, "true", "Follows the relays that repositories name.");
    public static final Setting<String> SYNC_BOOTSTRAP_RELAY_URL = Setting.peersUnset(
            "SYNC_BOOTSTRAP_RELAY_URL", ValueTypes.RELAY_OR_HOST, "Relay to sync from at the start.");
    public static final Setting<Duration> SYNC_BASE_BACKOFF_SECS =
            peers("SYNC_BASE_BACKOFF_SECS", seconds(1), "5", "First pause before a lost relay is tried again.");
    public static final Setting<Duration> SYNC_MAX_BACKOFF_SECS =
            peers("SYNC_MAX_BACKOFF_SECS", seconds(1), "3600", "Longest pause.");
    public static final Setting<Duration> SYNC_DISCONNECT_CHECK_INTERVAL_SECS =
            peers("SYNC_DISCONNECT_CHECK_INTERVAL_SECS", seconds(1), "60", "How often lost relays are looked at.");
    public static final Setting<Boolean> SYNC_DISABLE_NEGENTROPY =
            peers("SYNC_DISABLE_NEGENTROPY", BOOLEAN, "false", "Asks without negentropy.");
    public static final Setting<Long> SYNC_RECURSIVE_DESCENDANT_LIMIT = peers(
            "SYNC_RECURSIVE_DESCENDANT_LIMIT", number(1), "500", "Events of a thread used for further questions.");
    public static final Setting<Duration> REJECTED_HOT_CACHE_DURATION_SECS =
            peers("REJECTED_HOT_CACHE_DURATION_SECS", seconds(0), "120", "How long refused events are kept whole.");
    public static final Setting<Duration> REJECTED_COLD_INDEX_EXPIRY_SECS =
            peers("REJECTED_COLD_INDEX_EXPIRY_SECS", seconds(0), "604800", "How long their ids are remembered.");
    public static final Setting<Duration> SYNC_BATCH_WINDOW_MS =
            own("SYNC_BATCH_WINDOW_MS", milliseconds(1), "5000", "How long changes are gathered.");
    public static final Setting<Boolean> SYNC_LAYER1_STATES =
            own("SYNC_LAYER1_STATES", BOOLEAN, "false", "Asks for states together with announcements.");
    public static final Setting<Long> SYNC_CONSOLIDATION_THRESHOLD =
            own("SYNC_CONSOLIDATION_THRESHOLD", number(1), "70", "Filters from which on they are merged.");
    public static final Setting<Long> SYNC_MAX_LIVE_FILTERS =
            own("SYNC_MAX_LIVE_FILTERS", number(1), "200", "Most live filters at one relay.");
    public static final Setting<Long> SYNC_CHUNK_SIZE =
            own("SYNC_CHUNK_SIZE", number(10, 450), "100", "Values of a filter.");
    public static final Setting<List<String>> SYNC_PRIVATE_PEERS =
            own("SYNC_PRIVATE_PEERS", listOf(RELAY), "", "Relays of private services that are synced with.");
    public static final Setting<Long> SYNC_PAGE_LIMIT =
            own("SYNC_PAGE_LIMIT", number(1), "500", "Events asked for at once.");
    public static final Setting<Long> SYNC_MAX_RELAYS =
            own("SYNC_MAX_RELAYS", number(1, 1_000_000), "2000", "Relays that are known.");
    public static final Setting<Long> SYNC_MAX_LINKS =
            own("SYNC_MAX_LINKS", number(1, 1_000_000), "1000", "Relays that are connected.");
    public static final Setting<Long> SYNC_MAX_RELAYS_PER_REPO =
            own("SYNC_MAX_RELAYS_PER_REPO", number(1), "20", "Relays of one repository that count.");
    public static final Setting<Duration> SYNC_CONNECT_TIMEOUT_SECS =
            own("SYNC_CONNECT_TIMEOUT_SECS", seconds(1), "10", "Longest wait for a relay.");
    public static final Setting<Long> SYNC_REQUEST_RATE =
            own("SYNC_REQUEST_RATE", number(1), "10", "Requests to one relay in a second.");
    public static final Setting<Duration> SYNC_DAILY_MIN_HOURS =
            own("SYNC_DAILY_MIN_HOURS", hours(1), "23", "Least time between two full comparisons.");
    public static final Setting<Duration> SYNC_DAILY_MAX_HOURS =
            own("SYNC_DAILY_MAX_HOURS", hours(1), "25", "Most time between two full comparisons.");
    static final Setting<Boolean> SYNC_PLUS_ENABLED = peers(
                    "SYNC_PLUS_ENABLED", BOOLEAN, "true", "Looks for contributions at the relays of their authors.")
            .at(Stage.LATER);
    static final Setting<List<String>> USER_INDEX_RELAYS = peers(
                    "USER_INDEX_RELAYS",
                    listOf(RELAY),
                    "wss://purplepag.es,wss://index.hzrd149.com,wss://indexer.coracle.social",
                    "Where lists of relays are looked up.")
            .allowingEmpty()
            .at(Stage.LATER);
    static final Setting<List<String>> SYNC_PLUS_FALLBACK_RELAYS = peers(
                    "SYNC_PLUS_FALLBACK_RELAYS",
                    listOf(RELAY),
                    "wss://relay.ditto.pub,wss://relay.damus.io,wss://nos.lol,wss://relay.primal.net",
                    "Where authors without a list are looked for.")
            .allowingEmpty()
            .at(Stage.LATER);
    static final Setting<Long> SYNC_PLUS_LIVE_LINKS = own(
                    "SYNC_PLUS_LIVE_LINKS", number(1), "100", "Such relays that stay connected.")
            .at(Stage.LATER);
    static final Setting<Duration> SYNC_PLUS_VISIT_HOURS = own(
                    "SYNC_PLUS_VISIT_HOURS", hours(1), "6", "Time between two visits of the others.")
            .at(Stage.LATER);
    static final Setting<Long> SYNC_PLUS_MAX_MAILBOXES = own(
                    "SYNC_PLUS_MAX_MAILBOXES", number(1), "1000", "Most such relays.")
            .at(Stage.LATER);
    static final Setting<Boolean> PUBLISH_IDENTITY = own(
                    "PUBLISH_IDENTITY", BOOLEAN, "false", "Publishes the name and relays of the operator key.")
            .at(Stage.LATER);

    /// Those of a part that is not built yet (sync 13.6): all that are set are told of together.
    static final Set<Setting<?>> MAILBOXES = Set.of(
            SYNC_PLUS_ENABLED,
            USER_INDEX_RELAYS,
            SYNC_PLUS_FALLBACK_RELAYS,
            SYNC_PLUS_LIVE_LINKS,
            SYNC_PLUS_VISIT_HOURS,
            SYNC_PLUS_MAX_MAILBOXES,
            PUBLISH_IDENTITY);

    static final List<Setting<?>> ALL = List.of(
            SYNC_ENABLED,
            SYNC_BOOTSTRAP_RELAY_URL,
            SYNC_BASE_BACKOFF_SECS,
            SYNC_MAX_BACKOFF_SECS,
            SYNC_DISCONNECT_CHECK_INTERVAL_SECS,
            SYNC_DISABLE_NEGENTROPY,
            SYNC_RECURSIVE_DESCENDANT_LIMIT,
            REJECTED_HOT_CACHE_DURATION_SECS,
            REJECTED_COLD_INDEX_EXPIRY_SECS,
            SYNC_BATCH_WINDOW_MS,
            SYNC_LAYER1_STATES,
            SYNC_CONSOLIDATION_THRESHOLD,
            SYNC_MAX_LIVE_FILTERS,
            SYNC_CHUNK_SIZE,
            SYNC_PRIVATE_PEERS,
            SYNC_PAGE_LIMIT,
            SYNC_MAX_RELAYS,
            SYNC_MAX_LINKS,
            SYNC_MAX_RELAYS_PER_REPO,
            SYNC_CONNECT_TIMEOUT_SECS,
            SYNC_REQUEST_RATE,
            SYNC_DAILY_MIN_HOURS,
            SYNC_DAILY_MAX_HOURS,
            SYNC_PLUS_ENABLED,
            USER_INDEX_RELAYS,
            SYNC_PLUS_FALLBACK_RELAYS,
            SYNC_PLUS_LIVE_LINKS,
            SYNC_PLUS_VISIT_HOURS,
            SYNC_PLUS_MAX_MAILBOXES,
            PUBLISH_IDENTITY);

    private SyncSettings() {}
}
