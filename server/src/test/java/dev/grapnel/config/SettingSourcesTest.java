package dev.grapnel.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.ConfigReader.Outcome;
import dev.grapnel.config.Setting.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Every setting, from every source it has (service 10, relay row 198).
final class SettingSourcesTest {
    private static final String NPUB = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6";

    /// Values that are not the default, where one cannot be made from it.
    private static final Map<String, String> SAMPLES = Map.ofEntries(
            Map.entry("DOMAIN", "git.example.com"),
            Map.entry("BASE_PATH", "/git"),
            Map.entry("BIND_ADDRESS", "[::1]:0"),
            Map.entry("RELAY_NAME", "a name"),
            Map.entry("RELAY_DESCRIPTION", "a description"),
            Map.entry("CONTACT", "mailto:me@example.com"),
            Map.entry("GIT_DATA_PATH", "/srv/git"),
            Map.entry("RELAY_DATA_PATH", "/srv/relay"),
            Map.entry("DATABASE_BACKEND", "memory"),
            Map.entry("TRUSTED_PROXIES", "10.0.0.0/8"),
            Map.entry("METRICS_ALLOW", "10.0.0.0/8"),
            Map.entry("LOG_LEVEL", "debug,store=trace"),
            Map.entry("STARTUP_INTEGRITY_IDENTIFIERS", "a,b"),
            Map.entry("ARCHIVE_WHITELIST", NPUB + "/a"),
            Map.entry("ARCHIVE_GRASP_SERVICES", "a.example:8443/git"),
            Map.entry("ARCHIVE_READ_ONLY", "false"),
            Map.entry("PRIVATE_MEMBERS", NPUB),
            Map.entry("PRIVATE_PUBLIC_ORIGIN", "https://git.example.com"),
            Map.entry("REPOSITORY_WHITELIST", "a"),
            Map.entry("REPOSITORY_BLACKLIST", "a"),
            Map.entry("EVENT_BLACKLIST", NPUB),
            Map.entry("MAINTAINER_MODEL", "recursive"),
            Map.entry("PACK_CONCURRENCY", "5"),
            Map.entry("TEST_LISTENER_FD", "3"),
            Map.entry("CREATED_AT_LOWER_LIMIT", "5"),
            Map.entry("AUTH", "required"),
            Map.entry("RESTRICTED_READ_KINDS", "4"),
            Map.entry("RATE_LIMIT_EXEMPT", "10.0.0.0/8"),
            Map.entry("FORWARDED_HEADER", "X-Real-IP"),
            Map.entry("STORE_DURABILITY", "interval"),
            Map.entry("SYNC_DOMAIN_OVERRIDES", "a.example:1,2;b.example:3,4"),
            Map.entry("HUNT_SCHEMES", "https"),
            Map.entry("ADDRESS_ALLOW", "10.0.0.0/8"),
            Map.entry("ONION_PROXY", "127.0.0.1:9050"),
            Map.entry("OWN_DOMAINS", "b.example"),
            Map.entry("FSCK_OVERRIDES", "zeropaddedfilemode=warn"),
            Map.entry("PURGATORY_IMPORT_FILE", "/srv/state.json"),
            Map.entry("PURGATORY_DORMANT_CHECK_SECS", "60"),
            Map.entry("SYNC_BOOTSTRAP_RELAY_URL", "wss://relay.example.com"),
            Map.entry("SYNC_PRIVATE_PEERS", "wss://relay.example.com"),
            Map.entry("USER_INDEX_RELAYS", "wss://relay.example.com"),
            Map.entry("SYNC_PLUS_FALLBACK_RELAYS", "wss://relay.example.com"));

    /// The first table of the relay, with 6.6 and 6.7.
    private static final List<String> LIMITS = List.of(
            ("max_message_length max_event_bytes max_event_tags max_tag_value_bytes max_content_length max_json_depth"
                            + " max_subscriptions max_subid_length max_filters max_filter_values max_filter_bytes"
                            + " max_tag_conditions max_limit default_limit max_count neg_max_items created_at_upper_limit"
                            + " created_at_lower_limit ephemeral_max_age max_outbound_bytes ping_interval"
                            + " min_pow_difficulty auth auth_attempts restricted_read_kinds count count_hll negentropy"
                            + " search eose_hint max_connections connections_per_ip new_connections_per_minute_per_ip"
                            + " new_connections_burst_per_ip events_per_second_per_ip events_burst_per_ip"
                            + " queries_per_second_per_ip queries_burst_per_ip rate_limit_exempt trusted_proxies"
                            + " forwarded_header")
                    .split(" "));

    /// A source, as the operator would name it, and what it takes to give a value there.
    private record Source(String origin, Optional<String> flag, Optional<String> variable, Optional<String> line) {
        static Source ofFlag(String name) {
            return new Source(
                    Setting.flagOf(name), Optional.of(Setting.flagOf(name)), Optional.empty(), Optional.empty());
        }

        static Source ofVariable(String name) {
            return new Source(name, Optional.empty(), Optional.of(name), Optional.empty());
        }

        static Source ofLine(String name) {
            return new Source(name + " in .env", Optional.empty(), Optional.empty(), Optional.of(name));
        }
    }

    /// All that a setting can be given by, the strongest first.
    private static List<Source> sourcesOf(Setting<?> setting) {
        var sources = new ArrayList<Source>();
        addSources(sources, setting.name(), setting.isPeers());
        setting.aliases().forEach(alias -> addSources(sources, alias, true));
        return sources;
    }

    private static void addSources(List<Source> sources, String name, boolean isPeers) {
        sources.add(Source.ofFlag(name));
        sources.add(Source.ofVariable("GRAPNEL_" + name));
        if (isPeers) {
            sources.add(Source.ofVariable("NGIT_" + name));
        }
        sources.add(Source.ofLine("GRAPNEL_" + name));
        if (isPeers) {
            sources.add(Source.ofLine("NGIT_" + name));
        }
    }

    private static Outcome read(List<Source> sources, String text) {
        var flags = new ArrayList<String>();
        var variables = new HashMap<String, String>();
        var lines = new HashMap<String, String>();
        for (var source : sources) {
            source.flag().ifPresent(flag -> flags.addAll(List.of(flag, text)));
            source.variable().ifPresent(name -> variables.put(name, text));
            source.line().ifPresent(name -> lines.put(name, text));
        }
        return ConfigReader.read(FlagReader.read(flags), new ConfigSources(Map.of(), variables, lines, ".env"));
    }

    @Test
    void everySettingIsReadFromEverySourceAndTheStrongestWins() {
        for (var setting : Settings.ALL) {
            var sources = sourcesOf(setting);
            for (int i = 0; i < sources.size(); i++) {
                assertRead(setting, sources.subList(i, sources.size()));
                assertRead(setting, List.of(sources.get(i)));
            }
        }
    }

    private static <T> void assertRead(Setting<T> setting, List<Source> sources) {
        var text = sample(setting);
        var origin = sources.getFirst().origin();
        var value = setting.type().parse(text).require();
        assertNotEquals(setting.fallback(), Optional.of(value), setting.name());
        var outcome = read(sources, text);
        if (setting.stage() == Stage.REFUSED) {
            var problems = assertInstanceOf(Outcome.Bad.class, outcome).problems();
            assertTrue(problems.getFirst().startsWith(origin + " cannot be honoured"), problems.toString());
            return;
        }
        var configuration = assertInstanceOf(Outcome.Good.class, outcome, outcome.toString())
                .configuration();
        assertEquals(
                Optional.of(new Configuration.Value<>(value, origin)),
                configuration.findValue(setting),
                setting.name());
        assertEquals(text, setting.type().write(value));
    }

    /// Some other value than the default.
    private static <T> String sample(Setting<T> setting) {
        var given = SAMPLES.get(setting.name());
        if (given != null) {
            return given;
        }
        var fallback = setting.type().write(setting.fallback().orElseThrow());
        return setting.type().isFlag()
                ? Boolean.toString(!Boolean.parseBoolean(fallback))
                : Long.toString(Long.parseLong(fallback) + 1);
    }

    @Test
    void everyListWithAPluralNameIsReadOneByOne() {
        var flags = FlagReader.read(List.of(
                "--sync-domain-override",
                "a.example:1,2",
                "--sync-domain-override",
                "b.example:3,4",
                "--own-domain",
                "a.example",
                "--own-domain",
                "b.example",
                "--trusted-proxy",
                "10.0.0.1",
                "--trusted-proxy=10.0.0.2",
                "--trusted-proxy-cidr",
                "10.0.0.3",
                "--trusted-proxy-cidr=10.0.0.4"));
        assertEquals(List.of(), flags.problems());
        assertEquals(
                Map.of(
                        "SYNC_DOMAIN_OVERRIDES", "a.example:1,2;b.example:3,4",
                        "OWN_DOMAINS", "a.example,b.example",
                        "TRUSTED_PROXIES", "10.0.0.1,10.0.0.2",
                        "TRUSTED_PROXY_CIDRS", "10.0.0.3,10.0.0.4"),
                flags.values());
    }

    @Test
    void everyLimitOfTheRelayHasItsFlagAndItsVariable() {
        for (var limit : LIMITS) {
            var name = limit.toUpperCase(Locale.ROOT);
            var setting = Settings.ALL.stream()
                    .filter(found -> found.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(name));
            assertEquals("--" + limit.replace('_', '-'), setting.flag());
            assertRead(setting, List.of(Source.ofFlag(name)));
            assertRead(setting, List.of(Source.ofVariable("GRAPNEL_" + name)));
        }
    }

    @Test
    void everyTypoIsAnsweredWithTheNameThatWasMeant() {
        for (var setting : Settings.ALL) {
            var flag = wrong(setting.flag());
            var variable = wrong("GRAPNEL_" + setting.name());
            var outcome = ConfigReader.read(
                    FlagReader.read(List.of(flag + "=1")),
                    new ConfigSources(Map.of(), Map.of(variable, "1"), Map.of(variable, "1"), ".env"));
            var meant = "; did you mean GRAPNEL_" + setting.name() + "?";
            assertEquals(
                    new Outcome.Bad(List.of(
                            flag + " is unknown; did you mean " + setting.flag() + "?",
                            variable + " is unknown" + meant,
                            variable + " in .env is unknown" + meant)),
                    outcome);
        }
    }

    /// Two letters change places, as happens when typing fast.
    private static String wrong(String name) {
        int at = name.length() - 3;
        while (name.charAt(at) == name.charAt(at + 1)) {
            at--;
        }
        return name.substring(0, at) + name.charAt(at + 1) + name.charAt(at) + name.substring(at + 2);
    }

    @Test
    void partsThatComeLaterSaySo() {
        assertEquals(
                List.of(
                        "SYNC_PLUS_ENABLED",
                        "USER_INDEX_RELAYS",
                        "SYNC_PLUS_FALLBACK_RELAYS",
                        "SYNC_PLUS_LIVE_LINKS",
                        "SYNC_PLUS_VISIT_HOURS",
                        "SYNC_PLUS_MAX_MAILBOXES",
                        "PUBLISH_IDENTITY"),
                SyncSettings.ALL.stream()
                        .filter(setting -> setting.stage() != Stage.NOW)
                        .map(Setting::name)
                        .toList());
        assertEquals(
                List.of("FSCK_OVERRIDES", "ADOPT_ON_START"),
                PurgatorySettings.ALL.stream()
                        .filter(setting -> setting.stage() != Stage.NOW)
                        .map(Setting::name)
                        .toList());
        assertEquals(
                List.of("PRIVATE_MODE", "PRIVATE_MEMBERS", "PRIVATE_PUBLIC_ORIGIN"),
                Settings.ALL.stream()
                        .filter(setting -> setting.stage() == Stage.REFUSED)
                        .map(Setting::name)
                        .toList());
        for (var setting : RelaySettings.ALL) {
            assertEquals(setting.equals(RelaySettings.SEARCH) ? Stage.LATER : Stage.NOW, setting.stage());
        }
    }
}
