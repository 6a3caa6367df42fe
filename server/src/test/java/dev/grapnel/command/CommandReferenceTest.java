package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.Grapnel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/// The page for operators names whatever can be typed, and nothing else.
final class CommandReferenceTest {
    private static final Path PAGE = Path.of("../docs/reference/commands.md");
    private static final Pattern HEADING = Pattern.compile("(?m)^## `(.+)`$");
    private static final Pattern OPTION = Pattern.compile("`(--?[A-Za-z][a-z-]*)");

    /// Every command has it, and the page says so once.
    private static final Set<String> COMMON = Set.of("-h", "--help");

    /// Takes the settings, which have a page of their own.
    private static final Set<String> WITH_SETTINGS = Set.of("grapnel serve", "grapnel config");

    /// Commands that do something, by their full names.
    private static Map<String, CommandSpec> commands() {
        var found = new TreeMap<String, CommandSpec>();
        add(
                Grapnel.commandLine(new Invocation(
                        InputStream.nullInputStream(), OutputStream.nullOutputStream(), false, false, Map.of())),
                found);
        return found;
    }

    private static void add(CommandLine command, Map<String, CommandSpec> found) {
        var spec = command.getCommandSpec();
        boolean isGroup = !command.getSubcommands().isEmpty() && spec.parent() != null;
        if (!isGroup && !spec.usageMessage().hidden()) {
            found.put(spec.qualifiedName(), spec);
        }
        new HashSet<>(command.getSubcommands().values()).forEach(each -> add(each, found));
    }

    private static Map<String, String> sections() throws IOException {
        var page = Files.readString(PAGE);
        var sections = new TreeMap<String, String>();
        var headings = HEADING.matcher(page).results().toList();
        for (int i = 0; i < headings.size(); i++) {
            int end = i + 1 < headings.size() ? headings.get(i + 1).start() : page.length();
            var name = headings.get(i).group(1);
            assertEquals(null, sections.put(name, page.substring(headings.get(i).end(), end)), name);
        }
        return sections;
    }

    @Test
    void everyCommandHasASectionAndEverySectionACommand() throws IOException {
        assertEquals(commands().keySet(), sections().keySet());
    }

    @Test
    void everySectionNamesWhateverItsCommandTakes() throws IOException {
        var missing = new ArrayList<String>();
        var sections = sections();
        commands().forEach((name, spec) -> {
            var section = sections.getOrDefault(name, "");
            words(spec).stream()
                    .filter(word -> !Pattern.compile("`" + Pattern.quote(word) + "[` ]")
                            .matcher(section)
                            .find())
                    .forEach(word -> missing.add(name + " " + word));
        });
        assertEquals(List.of(), missing);
    }

    private static Set<String> words(CommandSpec spec) {
        var words = new TreeSet<>(optionsOf(spec));
        words.removeAll(COMMON);
        words.addAll(List.of(spec.aliases()));
        spec.positionalParameters().stream().map(ArgSpec::paramLabel).forEach(words::add);
        return words;
    }

    private static Set<String> optionsOf(CommandSpec spec) {
        return spec.options().stream()
                .flatMap(option -> List.of(option.names()).stream())
                .collect(Collectors.toSet());
    }

    @Test
    void noSectionPromisesAnOptionThatItsCommandDoesNotTake() throws IOException {
        var sections = sections();
        var wrong = new ArrayList<String>();
        commands().forEach((name, spec) -> {
            if (!WITH_SETTINGS.contains(name)) {
                var known = optionsOf(spec);
                for (var line : sections.getOrDefault(name, "").lines().toList()) {
                    var cell = line.startsWith("| ") ? line.split("\\|", 3)[1] : "";
                    OPTION.matcher(cell)
                            .results()
                            .map(found -> found.group(1))
                            .filter(option -> !known.contains(option))
                            .forEach(option -> wrong.add(name + " " + option));
                }
            }
        });
        assertEquals(List.of(), wrong);
    }

    @Test
    void everySectionHasAnExampleOfItsCommand() throws IOException {
        sections()
                .forEach((name, section) -> assertTrue(
                        Pattern.compile("(?m)^\\$ (\\.\\.?/)+" + Pattern.quote(name) + "( |$)")
                                .matcher(section)
                                .find(),
                        name));
    }
}
