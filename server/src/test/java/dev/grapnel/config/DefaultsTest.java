package dev.grapnel.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What holds when nobody sets anything. A name alone has no default. Operators rely on these: a change here is
/// a change for them, and belongs in the changelog.
final class DefaultsTest {
    private static final String DEFAULTS = """
            DOMAIN
            BASE_PATH=/
            BIND_ADDRESS=127.0.0.1:7334
            RELAY_NAME
            RELAY_DESCRIPTION=Git Nostr Relay - a grasp implementation
            CONTACT
            GIT_DATA_PATH=./data/git
            RELAY_DATA_PATH=./data/relay
            DATABASE_BACKEND=lmdb
            TRUSTED_PROXIES=127.0.0.0/8,::1/128
            METRICS_ENABLED=true
            METRICS_ALLOW
            METRICS_CONNECTION_PER_IP_ABUSE_THRESHOLD=10
            METRICS_TOP_N_REPOS=10
            LOG_LEVEL=info
            TEST=false
            STARTUP_INTEGRITY_IDENTIFIERS=
            HOLDING_RETENTION_SECS=7776000
            HOLDING_CLEANUP_INTERVAL_SECS=86400
            DELETION_REQUEST_RETENTION_UNUSED_SERVED_SECS=2592000
            DELETION_REQUEST_RETENTION_UNUSED_UNSERVED_GATING_ADDITIONAL_SECS=15552000
            DELETION_REQUEST_RETENTION_USED_SERVED_AFTER_LAST_USED_SECS=23328000
            DELETION_REQUEST_RETENTION_USED_UNSERVED_GATING_ADDITIONAL_SECS=7776000
            DELETION_REQUEST_DISRESPECTOR=false
            DELETION_GATE_SECS=2592000
            DELETION_GATE_MAX_TARGETS=200000
            DELETION_GATE_MAX_TARGETS_PER_AUTHOR=2048
            ARCHIVE_ALL=false
            ARCHIVE_WHITELIST=
            ARCHIVE_GRASP_SERVICES=
            ARCHIVE_READ_ONLY
            GRASP06_ENABLE=false
            PRIVATE_MODE=false
            PRIVATE_MEMBERS=
            PRIVATE_PUBLIC_ORIGIN
            PRIVATE_DERIVED_MEMBERS=true
            PRIVATE_SYNC_PUBLIC=false
            REPOSITORY_WHITELIST=
            REPOSITORY_BLACKLIST=
            EVENT_BLACKLIST=
            BLACKLIST_AUTO_RESTORE=false
            MAINTAINER_MODEL=confirmed
            GIT_REQUESTS_PER_MINUTE_PER_IP=600
            PACK_CONCURRENCY
            MAX_PUSH_BYTES=1073741824
            MAX_UNMATCHED_PUSH_BYTES=104857600
            MAX_PUSH_COMMANDS=25000
            MAX_UNSIGNED_BYTES_PER_IP=1073741824
            MAX_UNSIGNED_BYTES=10737418240
            MANAGEMENT_API=false
            TEST_LISTENER_FD
            MAX_MESSAGE_LENGTH=5242880
            MAX_EVENT_BYTES=2097152
            MAX_EVENT_TAGS=25000
            MAX_TAG_VALUE_BYTES=65536
            MAX_CONTENT_LENGTH=524288
            MAX_JSON_DEPTH=32
            MAX_SUBSCRIPTIONS=500
            MAX_SUBID_LENGTH=64
            MAX_FILTERS=200
            MAX_FILTER_VALUES=25000
            MAX_FILTER_BYTES=8388608
            MAX_TAG_CONDITIONS=8
            MAX_LIMIT=5000
            DEFAULT_LIMIT=5000
            MAX_COUNT=1000000
            NEG_MAX_ITEMS=1000000
            CREATED_AT_UPPER_LIMIT=900
            CREATED_AT_LOWER_LIMIT
            EPHEMERAL_MAX_AGE=300
            MAX_OUTBOUND_BYTES=33554432
            PING_INTERVAL=55
            MIN_POW_DIFFICULTY=0
            AUTH=on
            AUTH_ATTEMPTS=30
            RESTRICTED_READ_KINDS=4,1059,21059
            COUNT=true
            COUNT_HLL=true
            NEGENTROPY=true
            SEARCH=false
            EOSE_HINT=false
            MAX_CONNECTIONS=20000
            CONNECTIONS_PER_IP=100
            NEW_CONNECTIONS_PER_MINUTE_PER_IP=60
            NEW_CONNECTIONS_BURST_PER_IP=200
            EVENTS_PER_SECOND_PER_IP=50
            EVENTS_BURST_PER_IP=1000
            QUERIES_PER_SECOND_PER_IP=50
            QUERIES_BURST_PER_IP=500
            RATE_LIMIT_EXEMPT=
            FORWARDED_HEADER=auto
            STORE_DURABILITY=sync
            SYNC_LOOP_INTERVAL_MS=1000
            SYNC_DOMAIN_CONCURRENT=5
            SYNC_DOMAIN_RATE_LIMIT=30
            SYNC_DOMAIN_OVERRIDES=
            SYNC_DEFAULT_DELAY_SECS=180
            SYNC_IMMEDIATE_DELAY_MS=500
            SYNC_BACKOFF_BASE_SECS=20
            SYNC_BACKOFF_MAX_SECS=120
            PURGATORY_EXPIRY_SECS=1800
            PURGATORY_SOFT_EXPIRY_SECS=86400
            PURGATORY_PUSH_EXTENSION_SECS=900
            PURGATORY_SWEEP_INTERVAL_SECS=60
            PURGATORY_EXPIRED_RETENTION_SECS=604800
            PURGATORY_EXPIRED_MAX=100000
            PURGATORY_DORMANT_MAX=10000
            PURGATORY_DORMANT_CHECK_SECS=3600
            HUNT_REFRESH_SECS=3600
            PURGATORY_ANNOUNCEMENT_SYNC_MS=5000
            PURGATORY_MAX_ANNOUNCEMENTS=10000
            PURGATORY_MAX_STATES=50000
            PURGATORY_MAX_PRS=50000
            PURGATORY_MAX_PLACEHOLDERS=10000
            PURGATORY_MAX_PER_OWNER=100
            PURGATORY_MAX_STATES_PER_AUTHOR=16
            PURGATORY_MAX_PRS_PER_AUTHOR=200
            PURGATORY_MAX_PLACEHOLDERS_PER_REPO=200
            PURGATORY_MAX_PLACEHOLDERS_PER_IP=20
            NAUGHTY_LIST_EXPIRATION_HOURS=12
            HUNT_ENABLED=true
            HUNT_MAX_CONCURRENT=32
            HUNT_MAX_PER_ADDRESS=10
            HUNT_CONNECT_TIMEOUT_SECS=10
            HUNT_FIRST_BYTE_TIMEOUT_SECS=30
            HUNT_PACK_FIRST_BYTE_TIMEOUT_SECS=300
            HUNT_STALL_TIMEOUT_SECS=120
            HUNT_FETCH_TIMEOUT_SECS=3600
            HUNT_ATTEMPT_TIMEOUT_SECS=5400
            HUNT_HEDGE_SECS=30
            HUNT_SPECULATIVE_PER_VISIT=2
            HUNT_SPECULATIVE_PER_MINUTE=6
            HUNT_MISS_MEMORY_SECS=1800
            HUNT_MISS_MEMORY_URLS=1024
            HUNT_MAX_PACK_BYTES=1073741824
            MAX_PACK_OBJECTS=10000000
            MAX_OBJECT_BYTES=268435456
            HUNT_AREA_MAX_BYTES=2147483648
            HUNT_AREA_TOTAL_BYTES=21474836480
            MIN_FREE_DISK_BYTES=1073741824
            HUNT_SCHEMES=https,http
            HUNT_MAX_REDIRECTS=3
            ADDRESS_ALLOW=
            SYNC_ALLOW_NON_GLOBAL_TARGETS=false
            ONION_PROXY
            OWN_DOMAINS=
            FSCK_OVERRIDES=
            PURGATORY_IMPORT_FILE
            ADOPT_ON_START=true
            INTEGRITY_INTERVAL_DAYS=7
            SYNC_ENABLED=true
            SYNC_BOOTSTRAP_RELAY_URL
            SYNC_BASE_BACKOFF_SECS=5
            SYNC_MAX_BACKOFF_SECS=3600
            SYNC_DISCONNECT_CHECK_INTERVAL_SECS=60
            SYNC_DISABLE_NEGENTROPY=false
            SYNC_RECURSIVE_DESCENDANT_LIMIT=500
            REJECTED_HOT_CACHE_DURATION_SECS=120
            REJECTED_COLD_INDEX_EXPIRY_SECS=604800
            SYNC_BATCH_WINDOW_MS=5000
            SYNC_LAYER1_STATES=false
            SYNC_CONSOLIDATION_THRESHOLD=70
            SYNC_MAX_LIVE_FILTERS=200
            SYNC_CHUNK_SIZE=100
            SYNC_PRIVATE_PEERS=
            SYNC_PAGE_LIMIT=500
            SYNC_MAX_RELAYS=2000
            SYNC_MAX_LINKS=1000
            SYNC_MAX_RELAYS_PER_REPO=20
            SYNC_CONNECT_TIMEOUT_SECS=10
            SYNC_REQUEST_RATE=10
            SYNC_DAILY_MIN_HOURS=23
            SYNC_DAILY_MAX_HOURS=25
            SYNC_PLUS_ENABLED=true
            USER_INDEX_RELAYS=wss://purplepag.es,wss://index.hzrd149.com,wss://indexer.coracle.social
            SYNC_PLUS_FALLBACK_RELAYS=wss://relay.ditto.pub,wss://relay.damus.io,wss://nos.lol,wss://relay.primal.net
            SYNC_PLUS_LIVE_LINKS=100
            SYNC_PLUS_VISIT_HOURS=6
            SYNC_PLUS_MAX_MAILBOXES=1000
            PUBLISH_IDENTITY=false
            """;

    @Test
    void defaultsAreTheseAndNoOthers() {
        assertEquals(DEFAULTS, Settings.ALL.stream().map(DefaultsTest::line).collect(Collectors.joining()));
    }

    private static <T> String line(Setting<T> setting) {
        return setting.name()
                + setting.fallback()
                        .map(value -> "=" + setting.type().write(value))
                        .orElse("") + "\n";
    }
}
