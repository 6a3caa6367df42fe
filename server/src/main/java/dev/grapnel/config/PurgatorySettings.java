package dev.grapnel.config;

import static dev.grapnel.config.Setting.own;
import static dev.grapnel.config.Setting.peers;
import static dev.grapnel.config.ValueTypes.BOOLEAN;
import static dev.grapnel.config.ValueTypes.PATH;
import static dev.grapnel.config.ValueTypes.days;
import static dev.grapnel.config.ValueTypes.hours;
import static dev.grapnel.config.ValueTypes.listOf;
import static dev.grapnel.config.ValueTypes.listWithSemicolons;
import static dev.grapnel.config.ValueTypes.milliseconds;
import static dev.grapnel.config.ValueTypes.number;
import static dev.grapnel.config.ValueTypes.parsed;
import static dev.grapnel.config.ValueTypes.seconds;
import static dev.grapnel.config.ValueTypes.setOf;

import dev.grapnel.config.Setting.Stage;
import dev.grapnel.nostr.url.Scheme;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Settings of purgatory and of hunting (purgatory 9).
public final class PurgatorySettings {
    public static final Setting<Duration> SYNC_LOOP_INTERVAL_MS =
            peers("SYNC_LOOP_INTERVAL_MS", milliseconds(1), "1000", "How often hunting looks for work.");
    public static final Setting<Long> SYNC_DOMAIN_CONCURRENT =
            peers("SYNC_DOMAIN_CONCURRENT", number(1), "5", "Fetches from one domain at once.");
    public static final Setting<Long> SYNC_DOMAIN_RATE_LIMIT =
            peers("SYNC_DOMAIN_RATE_LIMIT", number(1), "30", "Visits of one domain in a minute.");
    public static final Setting<List<DomainLimits>> SYNC_DOMAIN_OVERRIDES = own(
            "SYNC_DOMAIN_OVERRIDES",
            listWithSemicolons(DomainLimits.TYPE),
            "",
            "Other numbers for some domains: fetches at once, and visits in a minute.");
    public static final Setting<Duration> SYNC_DEFAULT_DELAY_SECS = peers(
            "SYNC_DEFAULT_DELAY_SECS", seconds(0), "180", "How long a push is waited for before git data is hunted.");
    public static final Setting<Duration> SYNC_IMMEDIATE_DELAY_MS =
            peers("SYNC_IMMEDIATE_DELAY_MS", milliseconds(0), "500", "The same for events that came by sync.");
    public static final Setting<Duration> SYNC_BACKOFF_BASE_SECS =
            own("SYNC_BACKOFF_BASE_SECS", seconds(1), "20", "First pause of a hunt that failed.");
    public static final Setting<Duration> SYNC_BACKOFF_MAX_SECS =
            own("SYNC_BACKOFF_MAX_SECS", seconds(1), "120", "Longest pause of a hunt that failed.");
    public static final Setting<Duration> PURGATORY_EXPIRY_SECS =
            own("PURGATORY_EXPIRY_SECS", seconds(1), "1800", "How long an event waits for its git data.");
    public static final Setting<Duration> PURGATORY_SOFT_EXPIRY_SECS =
            own("PURGATORY_SOFT_EXPIRY_SECS", seconds(1), "86400", "How long an announcement stays known after that.");
    public static final Setting<Duration> PURGATORY_PUSH_EXTENSION_SECS =
            own("PURGATORY_PUSH_EXTENSION_SECS", seconds(1), "900", "How much longer it waits once a push has begun.");
    public static final Setting<Duration> PURGATORY_SWEEP_INTERVAL_SECS =
            own("PURGATORY_SWEEP_INTERVAL_SECS", seconds(1), "60", "How often expired ones are looked for.");
    public static final Setting<Duration> PURGATORY_EXPIRED_RETENTION_SECS =
            own("PURGATORY_EXPIRED_RETENTION_SECS", seconds(1), "604800", "How long expired ones are remembered.");
    public static final Setting<Long> PURGATORY_EXPIRED_MAX =
            own("PURGATORY_EXPIRED_MAX", number(1), "100000", "How many of them.");
    public static final Setting<Long> PURGATORY_DORMANT_MAX =
            own("PURGATORY_DORMANT_MAX", number(1), "10000", "How many of them are looked for now and then.");
    public static final Setting<Duration> PURGATORY_DORMANT_CHECK_SECS =
            own("PURGATORY_DORMANT_CHECK_SECS", seconds(1), "3600", "How often.");
    public static final Setting<Duration> HUNT_REFRESH_SECS =
            own("HUNT_REFRESH_SECS", seconds(1), "3600", "Least time between refreshes of a repository.");
    public static final Setting<Duration> PURGATORY_ANNOUNCEMENT_SYNC_MS = own(
            "PURGATORY_ANNOUNCEMENT_SYNC_MS",
            milliseconds(1),
            "5000",
            "How often held announcements are told to sync.");
    public static final Setting<Long> PURGATORY_MAX_ANNOUNCEMENTS =
            own("PURGATORY_MAX_ANNOUNCEMENTS", number(1), "10000", "Held announcements.");
    public static final Setting<Long> PURGATORY_MAX_STATES =
            own("PURGATORY_MAX_STATES", number(1), "50000", "Held states.");
    public static final Setting<Long> PURGATORY_MAX_PRS =
            own("PURGATORY_MAX_PRS", number(1), "50000", "Held pull requests.");
    public static final Setting<Long> PURGATORY_MAX_PLACEHOLDERS =
            own("PURGATORY_MAX_PLACEHOLDERS", number(1), "10000", "Pushes that wait for their events.");
    public static final Setting<Long> PURGATORY_MAX_PER_OWNER =
            own("PURGATORY_MAX_PER_OWNER", number(1), "100", "Held announcements of one author.");
    public static final Setting<Long> PURGATORY_MAX_STATES_PER_AUTHOR =
            own("PURGATORY_MAX_STATES_PER_AUTHOR", number(1), "16", "Held states of one author and identifier.");
    public static final Setting<Long> PURGATORY_MAX_PRS_PER_AUTHOR =
            own("PURGATORY_MAX_PRS_PER_AUTHOR", number(1), "200", "Held pull requests of one author and identifier.");
    public static final Setting<Long> PURGATORY_MAX_PLACEHOLDERS_PER_REPO =
            own("PURGATORY_MAX_PLACEHOLDERS_PER_REPO", number(1), "200", "Waiting pushes of one repository.");
    public static final Setting<Long> PURGATORY_MAX_PLACEHOLDERS_PER_IP =
            own("PURGATORY_MAX_PLACEHOLDERS_PER_IP", number(1), "20", "Waiting pushes of one address.");
    public static final Setting<Duration> NAUGHTY_LIST_EXPIRATION_HOURS =
            peers("NAUGHTY_LIST_EXPIRATION_HOURS", hours(1), "12", "How long servers with lasting faults are avoided.");
    public static final Setting<Boolean> HUNT_ENABLED =
            own("HUNT_ENABLED", BOOLEAN, "true", "Fetches missing git data from other servers.");
    public static final Setting<Long> HUNT_MAX_CONCURRENT =
            own("HUNT_MAX_CONCURRENT", number(1), "32", "Fetches at once.");
    public static final Setting<Long> HUNT_MAX_PER_ADDRESS =
            own("HUNT_MAX_PER_ADDRESS", number(1), "10", "Connections to one address.");
    public static final Setting<Duration> HUNT_CONNECT_TIMEOUT_SECS =
            own("HUNT_CONNECT_TIMEOUT_SECS", seconds(1), "10", "Longest wait for a connection.");
    public static final Setting<Duration> HUNT_FIRST_BYTE_TIMEOUT_SECS =
            own("HUNT_FIRST_BYTE_TIMEOUT_SECS", seconds(1), "30", "Longest wait for an answer to begin.");
    public static final Setting<Duration> HUNT_PACK_FIRST_BYTE_TIMEOUT_SECS =
            own("HUNT_PACK_FIRST_BYTE_TIMEOUT_SECS", seconds(1), "300", "Longest wait for a pack to begin.");
    public static final Setting<Duration> HUNT_STALL_TIMEOUT_SECS =
            own("HUNT_STALL_TIMEOUT_SECS", seconds(1), "120", "Longest silence.");
    public static final Setting<Duration> HUNT_FETCH_TIMEOUT_SECS =
            own("HUNT_FETCH_TIMEOUT_SECS", seconds(1), "3600", "Longest fetch.");
    public static final Setting<Duration> HUNT_ATTEMPT_TIMEOUT_SECS =
            own("HUNT_ATTEMPT_TIMEOUT_SECS", seconds(1), "5400", "Longest attempt.");
    public static final Setting<Duration> HUNT_HEDGE_SECS =
            own("HUNT_HEDGE_SECS", seconds(0), "30", "When a second server is asked; 0 for never.");
    public static final Setting<Long> HUNT_SPECULATIVE_PER_VISIT =
            own("HUNT_SPECULATIVE_PER_VISIT", number(0), "2", "Guesses during one visit; 0 for none.");
    public static final Setting<Long> HUNT_SPECULATIVE_PER_MINUTE =
            own("HUNT_SPECULATIVE_PER_MINUTE", number(0), "6", "Guesses at one domain in a minute; 0 for none.");
    public static final Setting<Duration> HUNT_MISS_MEMORY_SECS =
            own("HUNT_MISS_MEMORY_SECS", seconds(1), "1800", "How long what a server lacked is remembered.");
    public static final Setting<Long> HUNT_MISS_MEMORY_URLS =
            own("HUNT_MISS_MEMORY_URLS", number(1), "1024", "For how many URLs.");
    public static final Setting<Long> HUNT_MAX_PACK_BYTES =
            own("HUNT_MAX_PACK_BYTES", number(1), "1073741824", "Largest pack that is fetched.");
    public static final Setting<Long> MAX_PACK_OBJECTS =
            own("MAX_PACK_OBJECTS", number(1), "10000000", "Most objects of a pack, fetched or pushed.");
    public static final Setting<Long> MAX_OBJECT_BYTES =
            own("MAX_OBJECT_BYTES", number(1), "268435456", "Largest object, fetched or pushed.");
    public static final Setting<Long> HUNT_AREA_MAX_BYTES = own(
            "HUNT_AREA_MAX_BYTES", number(1), "2147483648", "What is fetched for one identifier before it is taken.");
    public static final Setting<Long> HUNT_AREA_TOTAL_BYTES =
            own("HUNT_AREA_TOTAL_BYTES", number(1), "21474836480", "The same for all.");
    public static final Setting<Long> MIN_FREE_DISK_BYTES = own(
            "MIN_FREE_DISK_BYTES",
            number(0),
            "1073741824",
            "Free disk, in bytes, below which the service is not healthy and nothing is fetched or pushed.");
    public static final Setting<List<Scheme>> HUNT_SCHEMES =
            own("HUNT_SCHEMES", setOf(ValueTypes.WEB_SCHEME), "https,http", "Schemes of URLs that are fetched from.");
    public static final Setting<Long> HUNT_MAX_REDIRECTS =
            own("HUNT_MAX_REDIRECTS", number(0), "3", "Redirects that are followed.");
    public static final Setting<List<Cidr>> ADDRESS_ALLOW = own(
            "ADDRESS_ALLOW",
            listOf(parsed("<cidr>", "address ranges such as 10.0.0.0/8", Cidr::parseRange, Cidr::toString)),
            "",
            "Addresses that are not public and may be connected to all the same.");
    public static final Setting<Boolean> SYNC_ALLOW_NON_GLOBAL_TARGETS =
            peers("SYNC_ALLOW_NON_GLOBAL_TARGETS", BOOLEAN, "false", "Connects to addresses that are not public.");
    public static final Setting<ProxyAddress> ONION_PROXY =
            Setting.<ProxyAddress>ownUnset("ONION_PROXY", ProxyAddress.TYPE, "SOCKS5 proxy for .onion hosts.");
    public static final Setting<List<String>> OWN_DOMAINS =
            own("OWN_DOMAINS", listOf(ValueTypes.DOMAIN), "", "Further names of this service.");
    static final Setting<List<FsckOverride>> FSCK_OVERRIDES = own(
                    "FSCK_OVERRIDES",
                    listOf(FsckOverride.TYPE),
                    "",
                    "Other severities of what is wrong with git objects.")
            .at(Stage.LATER);
    public static final Setting<Path> PURGATORY_IMPORT_FILE = Setting.ownUnset(
            "PURGATORY_IMPORT_FILE",
            PATH,
            "File of the existing server that is imported once; unless set, `purgatory-state.json` in the git data"
                    + " directory.");
    static final Setting<Boolean> ADOPT_ON_START = own(
                    "ADOPT_ON_START",
                    BOOLEAN,
                    "true",
                    "Takes over a directory of the existing server at the first start.")
            .at(Stage.LATER);
    public static final Setting<Duration> INTEGRITY_INTERVAL_DAYS = own(
            "INTEGRITY_INTERVAL_DAYS",
            days(0),
            "7",
            "Days between comparisons of all repositories with their events, the first after a start; 0 for none.");

    static final List<Setting<?>> ALL = List.of(
            SYNC_LOOP_INTERVAL_MS,
            SYNC_DOMAIN_CONCURRENT,
            SYNC_DOMAIN_RATE_LIMIT,
            SYNC_DOMAIN_OVERRIDES,
            SYNC_DEFAULT_DELAY_SECS,
            SYNC_IMMEDIATE_DELAY_MS,
            SYNC_BACKOFF_BASE_SECS,
            SYNC_BACKOFF_MAX_SECS,
            PURGATORY_EXPIRY_SECS,
            PURGATORY_SOFT_EXPIRY_SECS,
            PURGATORY_PUSH_EXTENSION_SECS,
            PURGATORY_SWEEP_INTERVAL_SECS,
            PURGATORY_EXPIRED_RETENTION_SECS,
            PURGATORY_EXPIRED_MAX,
            PURGATORY_DORMANT_MAX,
            PURGATORY_DORMANT_CHECK_SECS,
            HUNT_REFRESH_SECS,
            PURGATORY_ANNOUNCEMENT_SYNC_MS,
            PURGATORY_MAX_ANNOUNCEMENTS,
            PURGATORY_MAX_STATES,
            PURGATORY_MAX_PRS,
            PURGATORY_MAX_PLACEHOLDERS,
            PURGATORY_MAX_PER_OWNER,
            PURGATORY_MAX_STATES_PER_AUTHOR,
            PURGATORY_MAX_PRS_PER_AUTHOR,
            PURGATORY_MAX_PLACEHOLDERS_PER_REPO,
            PURGATORY_MAX_PLACEHOLDERS_PER_IP,
            NAUGHTY_LIST_EXPIRATION_HOURS,
            HUNT_ENABLED,
            HUNT_MAX_CONCURRENT,
            HUNT_MAX_PER_ADDRESS,
            HUNT_CONNECT_TIMEOUT_SECS,
            HUNT_FIRST_BYTE_TIMEOUT_SECS,
            HUNT_PACK_FIRST_BYTE_TIMEOUT_SECS,
            HUNT_STALL_TIMEOUT_SECS,
            HUNT_FETCH_TIMEOUT_SECS,
            HUNT_ATTEMPT_TIMEOUT_SECS,
            HUNT_HEDGE_SECS,
            HUNT_SPECULATIVE_PER_VISIT,
            HUNT_SPECULATIVE_PER_MINUTE,
            HUNT_MISS_MEMORY_SECS,
            HUNT_MISS_MEMORY_URLS,
            HUNT_MAX_PACK_BYTES,
            MAX_PACK_OBJECTS,
            MAX_OBJECT_BYTES,
            HUNT_AREA_MAX_BYTES,
            HUNT_AREA_TOTAL_BYTES,
            MIN_FREE_DISK_BYTES,
            HUNT_SCHEMES,
            HUNT_MAX_REDIRECTS,
            ADDRESS_ALLOW,
            SYNC_ALLOW_NON_GLOBAL_TARGETS,
            ONION_PROXY,
            OWN_DOMAINS,
            FSCK_OVERRIDES,
            PURGATORY_IMPORT_FILE,
            ADOPT_ON_START,
            INTEGRITY_INTERVAL_DAYS);

    private PurgatorySettings() {}
}
