package dev.grapnel.purgatory.hunt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.config.ConfigReader;
import dev.grapnel.config.ConfigSources;
import dev.grapnel.config.DomainLimits;
import dev.grapnel.nostr.url.Host;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HuntConfigTest {
    private static HuntConfig read(Map<String, String> variables) {
        var sources = new ConfigSources(Map.of(), variables, Map.of(), "no file");
        return switch (ConfigReader.read(sources)) {
            case ConfigReader.Outcome.Good(var configuration) -> HuntConfig.of(configuration);
            case ConfigReader.Outcome.Bad(var problems) -> throw new AssertionError(problems);
        };
    }

    @Test
    void withoutSettingsItIsTheSpecifications() {
        assertEquals(HuntConfig.DEFAULTS, read(Map.of()));
    }

    @Test
    void everySettingArrivesWhereItBelongs() {
        var all = new HashMap<String, String>();
        int number = 1;
        for (var name : List.of(
                "SYNC_LOOP_INTERVAL_MS",
                "SYNC_DEFAULT_DELAY_SECS",
                "SYNC_IMMEDIATE_DELAY_MS",
                "SYNC_BACKOFF_BASE_SECS",
                "SYNC_BACKOFF_MAX_SECS",
                "SYNC_DOMAIN_CONCURRENT",
                "SYNC_DOMAIN_RATE_LIMIT",
                "HUNT_MAX_CONCURRENT",
                "HUNT_MAX_PER_ADDRESS",
                "HUNT_SPECULATIVE_PER_VISIT",
                "HUNT_SPECULATIVE_PER_MINUTE",
                "HUNT_MISS_MEMORY_SECS",
                "HUNT_MISS_MEMORY_URLS",
                "HUNT_REFRESH_SECS",
                "HUNT_HEDGE_SECS")) {
            all.put("GRAPNEL_" + name, Integer.toString(number++));
        }
        all.put("GRAPNEL_PURGATORY_EXPIRY_SECS", "2001");
        all.put("GRAPNEL_PURGATORY_DORMANT_CHECK_SECS", "2002");
        all.put("GRAPNEL_HUNT_ATTEMPT_TIMEOUT_SECS", "5003");
        all.put("GRAPNEL_HUNT_ENABLED", "false");
        all.put("GRAPNEL_SYNC_DOMAIN_OVERRIDES", "*.a.example:7,8");
        var override = new DomainLimits(new Host("a.example"), true, 7, 8);
        assertEquals(
                new HuntConfig(
                        false,
                        Duration.ofMillis(1),
                        new HuntConfig.Delays(
                                Duration.ofSeconds(2),
                                Duration.ofMillis(3),
                                Duration.ofSeconds(4),
                                Duration.ofSeconds(5)),
                        new HuntConfig.Limits(6, 7, List.of(override), 8, 9),
                        new HuntConfig.Guesses(10, 11, Duration.ofSeconds(12), 13),
                        Duration.ofSeconds(2001),
                        Duration.ofSeconds(14),
                        Duration.ofSeconds(2002),
                        Duration.ofSeconds(5003),
                        Duration.ofSeconds(15)),
                read(all));
    }

    @Test
    void pausesBetweenAttemptsDoubleUpToTheirCap() {
        var delays = HuntConfig.DEFAULTS.delays();
        assertEquals(
                List.of(20L, 40L, 80L, 120L, 120L),
                IntStream.rangeClosed(1, 5)
                        .mapToObj(attempts -> delays.backoff(attempts).toSeconds())
                        .toList());
        assertEquals(Duration.ofMinutes(2), delays.backoff(Integer.MAX_VALUE));
    }
}
