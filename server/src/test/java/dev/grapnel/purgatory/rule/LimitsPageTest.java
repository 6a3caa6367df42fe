package dev.grapnel.purgatory.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.Setting;
import dev.grapnel.config.Settings;
import dev.grapnel.nostr.repository.LeadPath;
import dev.grapnel.nostr.repository.Maintainers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The page on limits says what is so.
final class LimitsPageTest {
    private static final Path PAGE = Path.of("../docs/reference/limits.md");

    private static List<String> rows() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| "))
                .toList();
    }

    private static String figure(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String cell(String row, int number) {
        return Arrays.stream(row.split("\\|")).map(String::strip).toList().get(number);
    }

    private static boolean isAboutWaiting(Setting<?> setting) {
        return setting.stage() == Setting.Stage.NOW
                && (setting.name().startsWith("PURGATORY_MAX_")
                        || setting.name().startsWith("DELETION_GATE_MAX_")
                        || (setting.name().startsWith("PURGATORY_")
                                && setting.name().endsWith("_MAX")));
    }

    @Test
    void everySettingThatBoundsWhatWaitsStandsThereWithItsDefault() throws IOException {
        var settings =
                Settings.ALL.stream().filter(LimitsPageTest::isAboutWaiting).toList();
        assertTrue(settings.size() >= 10, settings::toString);
        for (var setting : settings) {
            var row = rows().stream()
                    .filter(line -> line.contains("`" + setting.name() + "`"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(setting.name() + " is not on " + PAGE));
            assertEquals(Optional.of(figure((Long) setting.fallback().orElseThrow())), Optional.of(cell(row, 2)), row);
        }
    }

    private static boolean isAboutFetching(Setting<?> setting) {
        return setting.stage() == Setting.Stage.NOW
                && setting.fallback().filter(Long.class::isInstance).isPresent()
                && (setting.name().startsWith("HUNT_") || setting.name().startsWith("SYNC_DOMAIN_"));
    }

    @Test
    void everyNumberThatBoundsFetchingStandsThereWithItsDefault() throws IOException {
        var settings =
                Settings.ALL.stream().filter(LimitsPageTest::isAboutFetching).toList();
        assertTrue(settings.size() >= 10, settings::toString);
        for (var setting : settings) {
            var figure = figure((Long) setting.fallback().orElseThrow());
            assertTrue(
                    rows().stream()
                            .filter(line -> line.contains("`" + setting.name() + "`"))
                            .map(row -> cell(row, 2))
                            .anyMatch(cell -> cell.equals(figure) || cell.equals(figure + " bytes")),
                    () -> setting.name() + " is not on " + PAGE + " with " + figure);
        }
    }

    @Test
    void limitsOnNamedPeopleAreThoseOfTheRules() throws IOException {
        var ofIdentifier = row("mentions in all announcements of one identifier");
        assertEquals(figure(HeldLimits.KEYS_PER_IDENTIFIER), cell(ofIdentifier, 2));
        assertEquals(
                "an announcement that names more than " + HeldLimits.KEYS_ALWAYS + " is answered `" + HeldLimits.FULL
                        + "`",
                cell(ofIdentifier, 3));
        assertEquals(figure(Maintainers.MEMBERS_MAX), cell(row("members of one"), 2));
        assertEquals(figure(LeadPath.LENGTH_MAX), cell(row("length of a path"), 2));
    }

    private static String row(String beginning) throws IOException {
        return rows().stream()
                .filter(line -> line.startsWith("| " + beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row on " + beginning));
    }
}
