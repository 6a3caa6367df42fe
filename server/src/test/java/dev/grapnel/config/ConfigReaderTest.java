package dev.grapnel.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.ConfigReader.Outcome;
import dev.grapnel.config.ServiceSettings.Backend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Sources, their order, and what is said about values that cannot be (service 10).
final class ConfigReaderTest {
    private static final String NPUB = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6";
    private static final ConfigSources NOTHING = new ConfigSources(Map.of(), Map.of(), Map.of(), ".env");

    private static Configuration good(List<String> flags, Map<String, String> variables, Map<String, String> file) {
        var outcome = ConfigReader.read(FlagReader.read(flags), new ConfigSources(Map.of(), variables, file, ".env"));
        return assertInstanceOf(Outcome.Good.class, outcome, outcome.toString()).configuration();
    }

    private static Configuration good(Map<String, String> variables) {
        return good(List.of(), variables, Map.of());
    }

    private static List<String> problems(List<String> flags, Map<String, String> variables) {
        var outcome =
                ConfigReader.read(FlagReader.read(flags), new ConfigSources(Map.of(), variables, Map.of(), ".env"));
        return assertInstanceOf(Outcome.Bad.class, outcome, outcome.toString()).problems();
    }

    @Test
    void everythingHasADefaultOrIsNotSet() {
        var configuration =
                assertInstanceOf(Outcome.Good.class, ConfigReader.read(NOTHING)).configuration();
        assertEquals(List.of(), configuration.warnings());
        for (var setting : Settings.ALL) {
            assertEquals(setting.fallback(), configuration.find(setting), setting.name());
        }
    }

    @Test
    void flagBeatsOwnVariableBeatsPeersBeatsFileBeatsDefault() {
        var file = Map.of("GRAPNEL_RELAY_NAME", "file", "NGIT_RELAY_NAME", "peer's file");
        var variables = Map.of("GRAPNEL_RELAY_NAME", "own", "NGIT_RELAY_NAME", "peer's");
        var flag = good(List.of("--relay-name", "flag"), variables, file);
        assertEquals(
                new Configuration.Value<>("flag", "--relay-name"),
                flag.findValue(ServiceSettings.RELAY_NAME).orElseThrow());
        assertEquals("own", name(variables, file));
        assertEquals("peer's", name(Map.of("NGIT_RELAY_NAME", "peer's"), file));
        assertEquals("file", name(Map.of(), file));
        assertEquals("peer's file", name(Map.of(), Map.of("NGIT_RELAY_NAME", "peer's file")));
    }

    private static String name(Map<String, String> variables, Map<String, String> file) {
        return good(List.of(), variables, file).require(ServiceSettings.RELAY_NAME);
    }

    @Test
    void differentValuesUnderBothPrefixesAreTold() {
        var configuration = good(Map.of("GRAPNEL_RELAY_NAME", "a", "NGIT_RELAY_NAME", "b"));
        assertEquals(
                List.of("GRAPNEL_RELAY_NAME and NGIT_RELAY_NAME differ; the first one counts"),
                configuration.warnings());
        assertEquals(
                List.of(),
                good(Map.of("GRAPNEL_RELAY_NAME", "a", "NGIT_RELAY_NAME", "a\n"))
                        .warnings());
    }

    @Test
    void peersNamesLoseAgainstOurOwnFromAnySource() {
        var variables = Map.of("GRAPNEL_MAX_LIMIT", "7");
        var configuration = good(List.of("--relay-filter-limit=9"), variables, Map.of());
        assertEquals(7, configuration.require(RelaySettings.MAX_LIMIT));
        assertEquals(9, configuration.require(RelaySettings.DEFAULT_LIMIT));
        var peers = good(Map.of(
                "NGIT_RELAY_FILTER_LIMIT", "11",
                "NGIT_RELAY_MAX_SUBSCRIPTIONS", "12",
                "GRAPNEL_RELAY_MAX_EVENT_SIZE_BYTES", "13"));
        assertEquals(11, peers.require(RelaySettings.MAX_LIMIT));
        assertEquals(11, peers.require(RelaySettings.DEFAULT_LIMIT));
        assertEquals(12, peers.require(RelaySettings.MAX_SUBSCRIPTIONS));
        assertEquals(13, peers.require(RelaySettings.MAX_EVENT_BYTES));
    }

    @Test
    void ourOwnSettingsAreNotReadUnderThePeersPrefix() {
        var configuration = good(Map.of("NGIT_MAX_FILTERS", "3"));
        assertEquals(200, configuration.require(RelaySettings.MAX_FILTERS));
        assertEquals(List.of("NGIT_MAX_FILTERS is unknown, and ignored"), configuration.warnings());
    }

    @Test
    void emptyIsUnsetExceptForListsWithADefault() {
        var configuration = good(Map.of(
                "GRAPNEL_RELAY_NAME", " ",
                "GRAPNEL_MAX_LIMIT", "",
                "GRAPNEL_TRUSTED_PROXIES", "",
                "NGIT_USER_INDEX_RELAYS", "",
                "GRAPNEL_RESTRICTED_READ_KINDS", ""));
        assertTrue(configuration.find(ServiceSettings.RELAY_NAME).isEmpty());
        assertEquals(5_000, configuration.require(RelaySettings.MAX_LIMIT));
        assertEquals(List.of(), configuration.require(ServiceSettings.TRUSTED_PROXIES));
        assertEquals(List.of(), configuration.require(SyncSettings.USER_INDEX_RELAYS));
        assertEquals(List.of(), configuration.require(RelaySettings.RESTRICTED_READ_KINDS));
    }

    @Test
    void valuesAreTrimmedAndReadAsTheirType() {
        var configuration = good(Map.of(
                "NGIT_DATABASE_BACKEND", " Memory\n",
                "NGIT_BIND_ADDRESS", "[::1]:0",
                "NGIT_RELAY_DATA_PATH", "/srv/relay",
                "NGIT_METRICS_ENABLED", "OFF",
                "GRAPNEL_TRUSTED_PROXIES", "10.1.2.3/8, ::1"));
        assertEquals(Backend.MEMORY, configuration.require(ServiceSettings.DATABASE_BACKEND));
        assertEquals(
                "[::1]:0", configuration.require(ServiceSettings.BIND_ADDRESS).toString());
        assertEquals(Path.of("/srv/relay"), configuration.require(ServiceSettings.RELAY_DATA_PATH));
        assertEquals(false, configuration.require(ServiceSettings.METRICS_ENABLED));
        assertEquals(
                "10.0.0.0/8 ::1/128",
                configuration.require(ServiceSettings.TRUSTED_PROXIES).stream()
                        .map(Cidr::toString)
                        .collect(Collectors.joining(" ")));
    }

    /// P-814.
    @Test
    void noListOpensEveryAddress() {
        for (var everything : List.of("0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96")) {
            var told = problems(List.of("--address-allow", "10.0.0.0/8," + everything), Map.of());
            assertTrue(told.toString().contains("it is every address there is"), told.toString());
        }
    }

    @Test
    void allProblemsAreToldTogether() {
        var told = problems(
                List.of("--max-event-bites", "7", "--relay-owner-nsec=nsec1", "--max-limit"),
                Map.of(
                        "GRAPNEL_MAX_FILTERZ", "3",
                        "GRAPNEL_MAX_FILTERS", "many",
                        "NGIT_EVENT_BLACKLIST", "npub1x",
                        "GRAPNEL_PING_INTERVAL", "0"));
        assertEquals(
                List.of(
                        "--max-event-bites is unknown; did you mean --max-event-bytes?",
                        "--relay-owner-nsec is not taken, because arguments show in lists of processes; set the variable"
                                + " GRAPNEL_RELAY_OWNER_NSEC, a credential, or the file .relay-owner.nsec",
                        "--max-limit lacks its value (it is a whole number from 1 to 16777216)"),
                told.subList(0, 3));
        var rest = String.join("\n", told.subList(3, told.size()));
        assertTrue(rest.contains("NGIT_EVENT_BLACKLIST has an entry, npub1x, that is not an npub: "), rest);
        assertTrue(rest.contains("GRAPNEL_MAX_FILTERS is not a whole number"), rest);
        assertTrue(rest.contains("GRAPNEL_PING_INTERVAL is less than 1"), rest);
        assertTrue(rest.contains("GRAPNEL_MAX_FILTERZ is unknown; did you mean GRAPNEL_MAX_FILTERS?"), rest);
        assertEquals(7, told.size());
    }

    @Test
    void addressesThatCannotBeAreRefused() {
        for (var bad : List.of("https://git.example.com", "git.example.com/x", "a b", "git.example.com:99999")) {
            assertEquals(1, problems(List.of(), Map.of("NGIT_DOMAIN", bad)).size(), bad);
        }
        for (var bad : List.of("git", "/git/", "/a//b", "/a/../b", "/a?b")) {
            assertEquals(1, problems(List.of(), Map.of("NGIT_BASE_PATH", bad)).size(), bad);
        }
        for (var bad : List.of("https://relay.example.com", "wss://a,relay.example.com")) {
            assertEquals(
                    1,
                    problems(List.of(), Map.of("NGIT_USER_INDEX_RELAYS", bad)).size(),
                    bad);
        }
        for (var bad : List.of(
                "ws://user:secret@relay.example.com",
                "wss://relay.example.com/%00",
                "wss://relay.example.com/" + "x".repeat(500))) {
            assertEquals(
                    1,
                    problems(List.of(), Map.of("NGIT_SYNC_BOOTSTRAP_RELAY_URL", bad))
                            .size(),
                    bad);
            assertEquals(
                    1,
                    problems(List.of(), Map.of("GRAPNEL_SYNC_PRIVATE_PEERS", bad))
                            .size(),
                    bad);
        }
        var configuration = good(Map.of(
                "NGIT_DOMAIN", "git.example.com:8443/",
                "NGIT_BASE_PATH", "/git",
                "NGIT_SYNC_BOOTSTRAP_RELAY_URL", "relay.example.com"));
        assertEquals("git.example.com:8443", configuration.require(ServiceSettings.DOMAIN));
        assertEquals("wss://relay.example.com", configuration.require(SyncSettings.SYNC_BOOTSTRAP_RELAY_URL));
    }

    @Test
    void whatHasNoEffectIsTold() {
        var configuration = good(Map.of(
                "NGIT_GRASP06_ENABLE", "true",
                "NGIT_TEST_LISTENER_FD", "3",
                "NGIT_BLOSSOM_PATH", "/x",
                "NGIT_IMAGE", "x",
                "GRAPNEL_JAVA_OPTS", "-Xmx1g",
                "NGIT_SYNC_PLUS_ENABLED", "true"));
        assertEquals(
                List.of(
                        "NGIT_GRASP06_ENABLE has no effect yet: its part is not in this version",
                        "NGIT_TEST_LISTENER_FD is ignored",
                        "ignored, because contributions are not looked for at the relays of their authors yet:"
                                + " NGIT_SYNC_PLUS_ENABLED",
                        "NGIT_BLOSSOM_PATH is ignored"),
                configuration.warnings());
    }

    @Test
    void privateServiceIsNeverStartedAsAPublicOne() {
        var refusal = " cannot be honoured by this version, and to start without it would be wrong";
        assertEquals(
                List.of("NGIT_PRIVATE_MODE" + refusal, "NGIT_PRIVATE_MEMBERS" + refusal),
                problems(List.of(), Map.of("NGIT_PRIVATE_MODE", "true", "NGIT_PRIVATE_MEMBERS", NPUB)));
        assertEquals(List.of(), good(Map.of("NGIT_PRIVATE_MODE", "false")).warnings());
    }

    @Test
    void settingsOfAPrivateServiceBelongTogether() {
        var together = "GRAPNEL_PRIVATE_MODE and GRAPNEL_PRIVATE_MEMBERS belong together";
        assertTold(together, Map.of("GRAPNEL_PRIVATE_MODE", "true"));
        assertTold(together, Map.of("GRAPNEL_PRIVATE_MEMBERS", NPUB));
        assertTold("no authentication", Map.of("GRAPNEL_PRIVATE_MODE", "true", "GRAPNEL_GRASP06_ENABLE", "true"));
        assertTold("needs authentication", Map.of("GRAPNEL_PRIVATE_MODE", "true", "GRAPNEL_AUTH", "off"));
        assertTold(
                "GRAPNEL_PRIVATE_PUBLIC_ORIGIN is of use with GRAPNEL_PRIVATE_MODE only",
                Map.of("GRAPNEL_PRIVATE_PUBLIC_ORIGIN", "https://git.example.com"));
    }

    private static void assertTold(String part, Map<String, String> variables) {
        var told = problems(List.of(), variables);
        assertTrue(told.stream().anyMatch(problem -> problem.contains(part)), told.toString());
    }

    @Test
    void settingsThatSomethingElseStillLacksAreTold() {
        assertEquals(
                List.of("NGIT_LOG_LEVEL names what is not part of Grapnel, and is ignored there: a_crate, ngit_grasp"),
                good(Map.of("NGIT_LOG_LEVEL", "info,ngit_grasp=debug,store=warn,a_crate=trace"))
                        .warnings());
        assertEquals(
                List.of("GRAPNEL_MANAGEMENT_API has no effect yet: its part is not in this version"),
                good(Map.of("GRAPNEL_MANAGEMENT_API", "true")).warnings());
        assertEquals(
                List.of(),
                good(Map.of(
                                "GRAPNEL_MIN_FREE_DISK_BYTES", "5",
                                "GRAPNEL_MAX_UNSIGNED_BYTES", "5",
                                "GRAPNEL_DELETION_GATE_SECS", "5",
                                "GRAPNEL_DELETION_REQUEST_DISRESPECTOR", "1",
                                "GRAPNEL_CONTACT", "mailto:me@example.com",
                                "GRAPNEL_STORE_DURABILITY", "interval"))
                        .warnings());
    }

    @Test
    void settingsOfAPartThatIsNotBuiltAreToldTogether() {
        assertEquals(
                List.of("ignored, because contributions are not looked for at the relays of their authors yet:"
                        + " NGIT_SYNC_PLUS_ENABLED, NGIT_USER_INDEX_RELAYS, GRAPNEL_SYNC_PLUS_FALLBACK_RELAYS,"
                        + " GRAPNEL_SYNC_PLUS_LIVE_LINKS, GRAPNEL_SYNC_PLUS_VISIT_HOURS,"
                        + " GRAPNEL_SYNC_PLUS_MAX_MAILBOXES, GRAPNEL_PUBLISH_IDENTITY"),
                good(Map.of(
                                "NGIT_SYNC_PLUS_ENABLED", "true",
                                "NGIT_USER_INDEX_RELAYS", "",
                                "GRAPNEL_SYNC_PLUS_FALLBACK_RELAYS", "wss://relay.example.com",
                                "GRAPNEL_SYNC_PLUS_LIVE_LINKS", "5",
                                "GRAPNEL_SYNC_PLUS_VISIT_HOURS", "5",
                                "GRAPNEL_SYNC_PLUS_MAX_MAILBOXES", "5",
                                "GRAPNEL_PUBLISH_IDENTITY", "true"))
                        .warnings());
    }

    @Test
    void settingsOfSyncThatNeverHadAnEffectAreToldOnceEach() {
        assertEquals(
                List.of(
                        "NGIT_SYNC_RECONNECT_DELAY_SECS is ignored",
                        "NGIT_SYNC_RECONNECT_LOOKBACK_DAYS is ignored",
                        "NGIT_SYNC_STARTUP_DELAY_SECS is ignored"),
                good(Map.of(
                                "NGIT_SYNC_STARTUP_DELAY_SECS", "x",
                                "NGIT_SYNC_RECONNECT_DELAY_SECS", "5",
                                "NGIT_SYNC_RECONNECT_LOOKBACK_DAYS", "5"))
                        .warnings());
    }

    @Test
    void settingsOfSyncHaveAnEffect() {
        assertEquals(
                List.of(),
                good(Map.of(
                                "GRAPNEL_SYNC_ENABLED", "false",
                                "NGIT_SYNC_BOOTSTRAP_RELAY_URL", "relay.example.com",
                                "GRAPNEL_SYNC_PRIVATE_PEERS", "wss://peer.example.com",
                                "NGIT_REJECTED_HOT_CACHE_DURATION_SECS", "0",
                                "GRAPNEL_SYNC_CHUNK_SIZE", "450",
                                "GRAPNEL_SYNC_REQUEST_RATE", "5",
                                "GRAPNEL_PURGATORY_ANNOUNCEMENT_SYNC_MS", "100"))
                        .warnings());
    }

    @Test
    void timesOfSyncThatContradictEachOtherAreRefused() {
        assertTold(
                "GRAPNEL_SYNC_BASE_BACKOFF_SECS (20) is more than GRAPNEL_SYNC_MAX_BACKOFF_SECS (10)",
                Map.of("NGIT_SYNC_BASE_BACKOFF_SECS", "20", "NGIT_SYNC_MAX_BACKOFF_SECS", "10"));
        assertTold(
                "GRAPNEL_SYNC_DAILY_MIN_HOURS (26) is more than GRAPNEL_SYNC_DAILY_MAX_HOURS (25)",
                Map.of("GRAPNEL_SYNC_DAILY_MIN_HOURS", "26"));
        for (var name : List.of("SYNC_CHUNK_SIZE", "SYNC_BATCH_WINDOW_MS", "SYNC_PAGE_LIMIT", "SYNC_REQUEST_RATE")) {
            assertEquals(1, problems(List.of(), Map.of("GRAPNEL_" + name, "0")).size(), name);
        }
    }

    @Test
    void serversUnderTrialGatherChangesBriefly() {
        var usual = good(Map.of());
        assertEquals(Duration.ofSeconds(5), usual.require(SyncSettings.SYNC_BATCH_WINDOW_MS));
        assertEquals(Duration.ofSeconds(5), usual.require(PurgatorySettings.PURGATORY_ANNOUNCEMENT_SYNC_MS));
        for (var name : List.of("NGIT_TEST", "GRAPNEL_TEST")) {
            var test = good(Map.of(name, "1"));
            assertEquals(Duration.ofMillis(200), test.require(SyncSettings.SYNC_BATCH_WINDOW_MS));
            assertEquals(Duration.ofMillis(200), test.require(PurgatorySettings.PURGATORY_ANNOUNCEMENT_SYNC_MS));
            assertEquals(List.of(), test.warnings());
        }
        var given = good(Map.of("NGIT_TEST", "1", "GRAPNEL_SYNC_BATCH_WINDOW_MS", "5000"));
        assertEquals(Duration.ofSeconds(5), given.require(SyncSettings.SYNC_BATCH_WINDOW_MS));
        assertEquals(Duration.ofMillis(200), given.require(PurgatorySettings.PURGATORY_ANNOUNCEMENT_SYNC_MS));
    }

    @Test
    void secretThatStandsInAWrongPlaceIsNotRepeated() {
        var nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";
        var told = problems(
                List.of(nsec, "--relay-owner-nsec", nsec, "--relay-owner-nsecs=" + nsec, "--log-level", nsec),
                Map.of("GRAPNEL_EVENT_BLACKLIST", nsec, "GRAPNEL_CONTACT", nsec, "GRAPNEL_DOMAIN", nsec + " x"));
        assertEquals(7, told.size(), told.toString());
        assertTrue(!told.toString().contains("nsec1vl"), told.toString());
    }

    @Test
    void combinationsThatCannotBeAreRefused() {
        assertRefused("are mutually exclusive", "ARCHIVE_GRASP_SERVICES", "a.example", "ARCHIVE_ALL", "true");
        assertRefused("are mutually exclusive", "ARCHIVE_GRASP_SERVICES", "a.example", "ARCHIVE_WHITELIST", "x");
        assertRefused("needs GRAPNEL_ARCHIVE_ALL", "ARCHIVE_READ_ONLY", "true");
        assertRefused("is incompatible with", "ARCHIVE_ALL", "true", "REPOSITORY_WHITELIST", "x");
        assertRefused("must be distinct", "GIT_DATA_PATH", "/a/b", "RELAY_DATA_PATH", "/a/../a");
        assertRefused("(6000000) is more than GRAPNEL_MAX_MESSAGE_LENGTH (5242880)", "MAX_EVENT_BYTES", "6000000");
        assertRefused(
                "SYNC_BASE_BACKOFF_SECS (9) is more than", "SYNC_BASE_BACKOFF_SECS", "9", "SYNC_MAX_BACKOFF_SECS", "8");
        assertRefused("(59) is not 60 to 3600", "PURGATORY_DORMANT_CHECK_SECS", "59");
        assertRefused("(3601) is not 60 to 3600", "PURGATORY_DORMANT_CHECK_SECS", "3601");
        assertRefused("GRAPNEL_DOMAIN is needed", "BIND_ADDRESS", "0.0.0.0:7334");
        assertRefused("GRAPNEL_DOMAIN is needed", "BIND_ADDRESS", "[2001:db8::1]:80");
        assertEquals(
                List.of(),
                good(Map.of("GRAPNEL_BIND_ADDRESS", "0.0.0.0:7334", "GRAPNEL_DOMAIN", "git.example.com"))
                        .warnings());
    }

    /// P-901.
    @Test
    void huntingNeedsTimesThatFitIntoEachOther() {
        assertRefused(
                "SYNC_DEFAULT_DELAY_SECS (180) is more than GRAPNEL_PURGATORY_EXPIRY_SECS (179)",
                "PURGATORY_EXPIRY_SECS",
                "179");
        assertRefused(
                "HUNT_FETCH_TIMEOUT_SECS (5401) is more than GRAPNEL_HUNT_ATTEMPT_TIMEOUT_SECS (5400)",
                "HUNT_FETCH_TIMEOUT_SECS",
                "5401");
        assertRefused(
                "HUNT_STALL_TIMEOUT_SECS (3601) is more than GRAPNEL_HUNT_FETCH_TIMEOUT_SECS (3600)",
                "HUNT_STALL_TIMEOUT_SECS",
                "3601");
        var without = good(Map.of("GRAPNEL_PURGATORY_EXPIRY_SECS", "179", "GRAPNEL_HUNT_ENABLED", "false"));
        assertEquals(List.of(), without.warnings(), "without hunting nobody waits for that delay");
    }

    private static void assertRefused(String text, String... names) {
        var variables = new java.util.HashMap<String, String>();
        for (int i = 0; i < names.length; i += 2) {
            variables.put("GRAPNEL_" + names[i], names[i + 1]);
        }
        var told = problems(List.of(), variables);
        assertEquals(1, told.size(), told.toString());
        assertTrue(told.getFirst().contains(text), told.toString());
    }
}
