package dev.grapnel.config;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Tells about settings, in the words of their table.
public final class ConfigReference {
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
