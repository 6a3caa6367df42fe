package dev.grapnel.config;

import static dev.grapnel.config.Setting.own;
import static dev.grapnel.config.Setting.ownUnset;
import static dev.grapnel.config.Setting.peers;
import static dev.grapnel.config.Setting.peersUnset;
import static dev.grapnel.config.ValueTypes.BOOLEAN;
import static dev.grapnel.config.ValueTypes.NPUB;
import static dev.grapnel.config.ValueTypes.PATH;
import static dev.grapnel.config.ValueTypes.TEXT;
import static dev.grapnel.config.ValueTypes.listOf;
import static dev.grapnel.config.ValueTypes.number;
import static dev.grapnel.config.ValueTypes.oneOf;
import static dev.grapnel.config.ValueTypes.parsed;
import static dev.grapnel.config.ValueTypes.seconds;
import static dev.grapnel.config.ValueTypes.setOf;

import dev.grapnel.config.Setting.Stage;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.nostr.url.WebUrl;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Settings of the service as a whole (service 10.1, 10.3).
public final class ServiceSettings {
    static final ValueType<List<Cidr>> CIDRS =
            listOf(parsed("<cidr>", "address ranges such as 10.0.0.0/8", Cidr::parse, Cidr::toString));
    private static final ValueType<List<Identifier>> IDENTIFIERS =
            setOf(parsed("<identifier>", "identifiers of repositories", Identifier::parse, Identifier::text));
    private static final ValueType<List<ListEntry>> ENTRIES =
            listOf(parsed("<entry>", "npubs, npub/identifier or identifiers", ListEntry::parse, ListEntry::toString));

    /// Which store is used.
    public enum Backend {
        LMDB,
        MEMORY
    }

    /// How maintainers are found (service 5.1.5).
    public enum MaintainerModel {
        CONFIRMED,
        RECURSIVE
    }

    public static final Setting<String> DOMAIN = peersUnset(
            "DOMAIN",
            ValueTypes.DOMAIN,
            "Host, and port if it is not the usual one, under which others reach this service. Needed unless it"
                    + " listens on loopback only.");
    public static final Setting<String> BASE_PATH = peers(
            "BASE_PATH",
            ValueTypes.BASE_PATH,
            "/",
            "Path below which the service lies, if it does not have the domain for itself.");
    public static final Setting<BindAddress> BIND_ADDRESS = peers(
            "BIND_ADDRESS",
            parsed("<ip:port>", "an address and a port", BindAddress::parse, BindAddress::toString),
            "127.0.0.1:7334",
            "Where the server listens; port 0 picks one.");
    public static final Setting<String> RELAY_NAME =
            peersUnset("RELAY_NAME", TEXT, "Name in the relay's information document; <domain> grasp relay otherwise.");
    public static final Setting<String> RELAY_DESCRIPTION = peers(
            "RELAY_DESCRIPTION",
            TEXT,
            "Git Nostr Relay - a grasp implementation",
            "Description in the relay's information document.");
    public static final Setting<URI> CONTACT =
            ownUnset("CONTACT", ValueTypes.CONTACT, "How to reach the operator, in the relay's information document.");
    public static final Setting<Path> GIT_DATA_PATH =
            peers("GIT_DATA_PATH", PATH, "./data/git", "Directory of the git repositories.");
    public static final Setting<Path> RELAY_DATA_PATH =
            peers("RELAY_DATA_PATH", PATH, "./data/relay", "Directory of the event store.");
    public static final Setting<Backend> DATABASE_BACKEND = peers(
            "DATABASE_BACKEND",
            oneOf(Backend.class),
            "lmdb",
            "Where events are kept: lmdb on disk, memory for at most 100,000 until the server stops.");
    public static final Setting<List<Cidr>> TRUSTED_PROXIES = own(
                    "TRUSTED_PROXIES",
                    CIDRS,
                    "127.0.0.0/8,::1/128",
                    "Proxies whose word about a client's address counts.")
            .withAlias("TRUSTED_PROXY_CIDRS")
            .allowingEmpty();
    public static final Setting<Boolean> METRICS_ENABLED =
            peers("METRICS_ENABLED", BOOLEAN, "true", "Serves /metrics.");
    public static final Setting<List<Cidr>> METRICS_ALLOW =
            ownUnset("METRICS_ALLOW", CIDRS, "Who may read /metrics and the details of /health; everybody otherwise.");
    public static final Setting<Long> METRICS_CONNECTION_PER_IP_ABUSE_THRESHOLD = peers(
            "METRICS_CONNECTION_PER_IP_ABUSE_THRESHOLD",
            number(1),
            "10",
            "Connections of one address from which on it is shown as flagged.");
    public static final Setting<Long> METRICS_TOP_N_REPOS =
            peers("METRICS_TOP_N_REPOS", number(0), "10", "Repositories in the metric of those that move most bytes.");
    public static final Setting<LogLevels> LOG_LEVEL = peers(
            "LOG_LEVEL",
            LogLevels.TYPE,
            "info",
            "What is logged. A level alone is for Grapnel; libraries stay at warn. A name is one that stands in the"
                    + " log, or the beginning of one.");
    public static final Setting<Boolean> TEST = peers("TEST", BOOLEAN, "false", "Shortens timers, for tests.");

    public static final Setting<List<Identifier>> STARTUP_INTEGRITY_IDENTIFIERS = peers(
            "STARTUP_INTEGRITY_IDENTIFIERS",
            IDENTIFIERS,
            "",
            "Names to which comparisons of repositories with their events that begin by themselves are limited; all"
                    + " otherwise.");
    public static final Setting<Duration> HOLDING_RETENTION_SECS =
            peersTime("HOLDING_RETENTION_SECS", 7_776_000, "How long withdrawn repositories and trash are kept.");
    public static final Setting<Duration> HOLDING_CLEANUP_INTERVAL_SECS = peersTime(
            "HOLDING_CLEANUP_INTERVAL_SECS", 86_400, "How often trash and deletion requests are looked through.");
    public static final Setting<Duration> UNUSED_SERVED = peersTime(
            "DELETION_REQUEST_RETENTION_UNUSED_SERVED_SECS",
            2_592_000,
            "How long a deletion request that deleted nothing is served.");
    public static final Setting<Duration> UNUSED_GATING = peersTime(
            "DELETION_REQUEST_RETENTION_UNUSED_UNSERVED_GATING_ADDITIONAL_SECS",
            15_552_000,
            "How much longer it refuses what it names.");
    public static final Setting<Duration> USED_SERVED = peersTime(
            "DELETION_REQUEST_RETENTION_USED_SERVED_AFTER_LAST_USED_SECS",
            23_328_000,
            "How long a deletion request is served after it was last of use.");
    public static final Setting<Duration> USED_GATING = peersTime(
            "DELETION_REQUEST_RETENTION_USED_UNSERVED_GATING_ADDITIONAL_SECS",
            7_776_000,
            "How much longer it is kept.");
    public static final Setting<Boolean> DELETION_REQUEST_DISRESPECTOR = peers(
            "DELETION_REQUEST_DISRESPECTOR", BOOLEAN, "false", "Stores deletion requests without carrying them out.");
    public static final Setting<Duration> DELETION_GATE_SECS =
            own("DELETION_GATE_SECS", seconds(1), "2592000", "How long a deletion request of a stranger waits.");
    public static final Setting<Long> DELETION_GATE_MAX_TARGETS =
            own("DELETION_GATE_MAX_TARGETS", number(1), "200000", "What all of them may name together.");
    public static final Setting<Long> DELETION_GATE_MAX_TARGETS_PER_AUTHOR =
            own("DELETION_GATE_MAX_TARGETS_PER_AUTHOR", number(1), "2048", "What those of one author may name.");
    public static final Setting<Boolean> ARCHIVE_ALL =
            peers("ARCHIVE_ALL", BOOLEAN, "false", "Keeps every repository that is announced.");
    public static final Setting<List<ListEntry>> ARCHIVE_WHITELIST =
            peers("ARCHIVE_WHITELIST", ENTRIES, "", "Keeps these repositories.");
    public static final Setting<List<ServiceAddress>> ARCHIVE_GRASP_SERVICES = peers(
            "ARCHIVE_GRASP_SERVICES", listOf(ValueTypes.SERVICE), "", "Keeps the repositories of these services.");
    public static final Setting<Boolean> ARCHIVE_READ_ONLY =
            peersUnset("ARCHIVE_READ_ONLY", BOOLEAN, "Takes nothing but what it keeps so; true with any of the three.");
    static final Setting<Boolean> GRASP06_ENABLE = peers(
                    "GRASP06_ENABLE", BOOLEAN, "false", "Takes pull requests of contributors under /prs/.")
            .at(Stage.LATER);
    static final Setting<Boolean> PRIVATE_MODE = peers(
                    "PRIVATE_MODE", BOOLEAN, "false", "Shows everything to members only.")
            .at(Stage.REFUSED);
    static final Setting<List<PublicKey>> PRIVATE_MEMBERS = peers(
                    "PRIVATE_MEMBERS", listOf(NPUB), "", "Members of a private service.")
            .at(Stage.REFUSED);
    static final Setting<WebUrl> PRIVATE_PUBLIC_ORIGIN = peersUnset(
                    "PRIVATE_PUBLIC_ORIGIN",
                    ValueTypes.ORIGIN,
                    "Origin that git credentials of a private service must sign.")
            .at(Stage.REFUSED);
    static final Setting<Boolean> PRIVATE_DERIVED_MEMBERS = own(
                    "PRIVATE_DERIVED_MEMBERS", BOOLEAN, "true", "Maintainers of hosted repositories are members too.")
            .at(Stage.LATER);
    static final Setting<Boolean> PRIVATE_SYNC_PUBLIC = own(
                    "PRIVATE_SYNC_PUBLIC", BOOLEAN, "false", "A private service syncs from public relays.")
            .at(Stage.LATER);
    public static final Setting<List<ListEntry>> REPOSITORY_WHITELIST =
            peers("REPOSITORY_WHITELIST", ENTRIES, "", "Hosts these repositories only.");
    public static final Setting<List<ListEntry>> REPOSITORY_BLACKLIST =
            peers("REPOSITORY_BLACKLIST", ENTRIES, "", "Never hosts these repositories.");
    public static final Setting<List<PublicKey>> EVENT_BLACKLIST =
            peers("EVENT_BLACKLIST", listOf(NPUB), "", "Refuses every event of these authors.");
    public static final Setting<Boolean> BLACKLIST_AUTO_RESTORE =
            peers("BLACKLIST_AUTO_RESTORE", BOOLEAN, "false", "Restores what leaves the blacklist.");
    public static final Setting<MaintainerModel> MAINTAINER_MODEL = own(
            "MAINTAINER_MODEL",
            oneOf(MaintainerModel.class),
            "confirmed",
            "Who maintains a repository: confirmed by each other, or recursive.");
    public static final Setting<Long> GIT_REQUESTS_PER_MINUTE_PER_IP = ownNumber(
            "GIT_REQUESTS_PER_MINUTE_PER_IP", 600, "Git requests of one address in a minute; 0 for any number.");
    public static final Setting<Long> PACK_CONCURRENCY = Setting.ownUnset(
            "PACK_CONCURRENCY", number(0), "Packs made at once, 0 for any number; twice the processors otherwise.");
    public static final Setting<Long> MAX_PUSH_BYTES =
            ownNumber("MAX_PUSH_BYTES", 1L << 30, "Largest push; 0 for any size.");
    public static final Setting<Long> MAX_UNMATCHED_PUSH_BYTES = ownNumber(
            "MAX_UNMATCHED_PUSH_BYTES", 100L << 20, "Largest push whose event is not known yet; 0 for any size.");
    public static final Setting<Long> MAX_PUSH_COMMANDS =
            ownNumber("MAX_PUSH_COMMANDS", 25_000, "Refs that one push may change; 0 for any number.");
    public static final Setting<Long> MAX_UNSIGNED_BYTES_PER_IP = ownNumber(
            "MAX_UNSIGNED_BYTES_PER_IP", 1L << 30, "What one address may have waiting for its events; 0 for nothing.");
    public static final Setting<Long> MAX_UNSIGNED_BYTES =
            ownNumber("MAX_UNSIGNED_BYTES", 10L << 30, "What all may have waiting; 0 for nothing.");
    static final Setting<Boolean> MANAGEMENT_API = own(
                    "MANAGEMENT_API", BOOLEAN, "false", "Lets the operator manage the relay over HTTP (NIP-86).")
            .at(Stage.LATER);
    static final Setting<String> TEST_LISTENER_FD = Setting.<String>peersUnset(
                    "TEST_LISTENER_FD", TEXT, "A listening socket of the existing server's tests.")
            .at(Stage.IGNORED);

    static final List<Setting<?>> ALL = List.of(
            DOMAIN,
            BASE_PATH,
            BIND_ADDRESS,
            RELAY_NAME,
            RELAY_DESCRIPTION,
            CONTACT,
            GIT_DATA_PATH,
            RELAY_DATA_PATH,
            DATABASE_BACKEND,
            TRUSTED_PROXIES,
            METRICS_ENABLED,
            METRICS_ALLOW,
            METRICS_CONNECTION_PER_IP_ABUSE_THRESHOLD,
            METRICS_TOP_N_REPOS,
            LOG_LEVEL,
            TEST,
            STARTUP_INTEGRITY_IDENTIFIERS,
            HOLDING_RETENTION_SECS,
            HOLDING_CLEANUP_INTERVAL_SECS,
            UNUSED_SERVED,
            UNUSED_GATING,
            USED_SERVED,
            USED_GATING,
            DELETION_REQUEST_DISRESPECTOR,
            DELETION_GATE_SECS,
            DELETION_GATE_MAX_TARGETS,
            DELETION_GATE_MAX_TARGETS_PER_AUTHOR,
            ARCHIVE_ALL,
            ARCHIVE_WHITELIST,
            ARCHIVE_GRASP_SERVICES,
            ARCHIVE_READ_ONLY,
            GRASP06_ENABLE,
            PRIVATE_MODE,
            PRIVATE_MEMBERS,
            PRIVATE_PUBLIC_ORIGIN,
            PRIVATE_DERIVED_MEMBERS,
            PRIVATE_SYNC_PUBLIC,
            REPOSITORY_WHITELIST,
            REPOSITORY_BLACKLIST,
            EVENT_BLACKLIST,
            BLACKLIST_AUTO_RESTORE,
            MAINTAINER_MODEL,
            GIT_REQUESTS_PER_MINUTE_PER_IP,
            PACK_CONCURRENCY,
            MAX_PUSH_BYTES,
            MAX_UNMATCHED_PUSH_BYTES,
            MAX_PUSH_COMMANDS,
            MAX_UNSIGNED_BYTES_PER_IP,
            MAX_UNSIGNED_BYTES,
            MANAGEMENT_API,
            TEST_LISTENER_FD);

    private ServiceSettings() {}

    private static Setting<Duration> peersTime(String name, long fallback, String help) {
        return peers(name, seconds(1), Long.toString(fallback), help);
    }

    private static Setting<Long> ownNumber(String name, long fallback, String help) {
        return own(name, number(0), Long.toString(fallback), help);
    }
}
