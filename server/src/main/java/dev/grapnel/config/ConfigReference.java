package dev.grapnel.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Tells about settings, in the words of their table.
public final class ConfigReference {
    private static final String INDENT = "      ";
    private static final int HELP_WIDTH = 79;

    private ConfigReference() {}

    /// The tables of the reference page.
    public static String markdown() {
        return section("The service", ServiceSettings.ALL)
                + section("The relay", RelaySettings.ALL)
                + section("Purgatory and hunting", PurgatorySettings.ALL)
                + section("Sync", SyncSettings.ALL);
    }

    private static String section(String title, List<Setting<?>> settings) {
        return "\n## " + title + "\n\n| Name | Default | Allowed | What it does |\n|---|---|---|---|\n"
                + settings.stream().map(ConfigReference::row).collect(Collectors.joining());
    }

    private static <T> String row(Setting<T> setting) {
        var names = "`" + setting.name() + "`" + (setting.isPeers() ? " †" : "")
                + setting.aliases().stream().map(alias -> ", `" + alias + "` †").collect(Collectors.joining());
        var fallback = setting.fallback()
                .map(setting.type()::write)
                .map(text -> text.isEmpty() ? "empty" : "`" + text + "`")
                .orElse("");
        return "| " + names + " | " + fallback + " | " + escaped(setting.type().description()) + " | "
                + escaped(setting.help()) + escaped(stage(setting)) + " |\n";
    }

    private static String stage(Setting<?> setting) {
        return switch (setting.stage()) {
            case NOW -> "";
            case LATER -> " *Checked; has no effect yet.*";
            case IGNORED -> " *Ignored.*";
            case REFUSED -> " *Refused: not in this version.*";
        };
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }

    /// The flags that have an effect in this version, as a command's help lists them: a line for the flag, one for
    /// what it does.
    public static List<String> help() {
        return Settings.ALL.stream()
                .filter(setting -> setting.stage() == Setting.Stage.NOW)
                .flatMap(ConfigReference::help)
                .toList();
    }

    private static <T> Stream<String> help(Setting<T> setting) {
        var type = setting.type();
        var flag = setting.flag() + (type.isFlag() ? "" : " " + type.word());
        var fallback = setting.fallback()
                .map(type::write)
                .filter(text -> !text.isEmpty())
                .map(text -> " (" + oneLine(text) + ")")
                .orElse("");
        return Stream.concat(Stream.of("  " + flag), wrapped(setting.help() + fallback).stream());
    }

    private static List<String> wrapped(String text) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder(INDENT);
        for (var word : text.split(" ", -1)) {
            if (line.length() + word.length() > HELP_WIDTH && line.length() > INDENT.length()) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(INDENT);
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
        return lines;
    }

    /// The effective values, one in a line, with where each was set.
    public static String effective(Configuration configuration) {
        return Settings.ALL.stream()
                .map(setting -> effective(setting, configuration))
                .collect(Collectors.joining());
    }

    /// The same about the operator's key, which is never shown.
    public static String effective(Optional<OwnerKey.Found> owner) {
        return "GRAPNEL_" + OwnerKey.NAME
                + owner.map(found -> "=(hidden)  # " + found.origin()).orElse("=  # not set; the first start makes one")
                + "\n";
    }

    private static <T> String effective(Setting<T> setting, Configuration configuration) {
        return configuration
                .findValue(setting)
                .map(value -> "GRAPNEL_" + setting.name() + "="
                        + oneLine(setting.type().write(value.value())) + "  # " + value.origin() + "\n")
                .orElse("GRAPNEL_" + setting.name() + "=  # not set\n");
    }

    /// Line breaks as they are often written; a description may have some.
    private static String oneLine(String text) {
        return text.replace("\n", "\\n").replaceAll("\\p{Cntrl}", "?");
    }
}
