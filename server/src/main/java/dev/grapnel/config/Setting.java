package dev.grapnel.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One thing an operator can set.
///
/// @param name upper case with underscores, as in variables behind their prefix
/// @param fallback its value when nobody sets it; nothing if that follows from others
/// @param aliases names of the existing server that mean the same and lose against this one
/// @param isPeers whether the existing server knows this name, so that it is read with its prefix too
/// @param isEmptyAllowed whether empty text means an empty list rather than nothing
/// @param stage whether it has an effect
/// @param help a sentence for the operator
public record Setting<T>(
        String name,
        ValueType<T> type,
        Optional<T> fallback,
        List<String> aliases,
        boolean isPeers,
        boolean isEmptyAllowed,
        Stage stage,
        String help) {
    /// Whether a setting has an effect in this version.
    public enum Stage {
        /// It has.
        NOW,
        /// It is checked, and used by a part that is not built yet; whoever sets it is told.
        LATER,
        /// It never will have; whoever sets it is told.
        IGNORED,
        /// To start without it would be wrong, so it is refused.
        REFUSED
    }

    public Setting {
        aliases = List.copyOf(aliases);
    }

    /// @param fallback as an operator would write it
    static <T> Setting<T> own(String name, ValueType<T> type, String fallback, String help) {
        var value = type.parse(fallback).require();
        return new Setting<>(name, type, Optional.of(value), List.of(), false, false, Stage.NOW, help);
    }

    static <T> Setting<T> ownUnset(String name, ValueType<T> type, String help) {
        return new Setting<>(name, type, Optional.empty(), List.of(), false, false, Stage.NOW, help);
    }

    /// @param fallback as an operator would write it
    static <T> Setting<T> peers(String name, ValueType<T> type, String fallback, String help) {
        var value = type.parse(fallback).require();
        return new Setting<>(name, type, Optional.of(value), List.of(), true, false, Stage.NOW, help);
    }

    static <T> Setting<T> peersUnset(String name, ValueType<T> type, String help) {
        return new Setting<>(name, type, Optional.empty(), List.of(), true, false, Stage.NOW, help);
    }

    Setting<T> withAlias(String alias) {
        return new Setting<>(name, type, fallback, List.of(alias), isPeers, isEmptyAllowed, stage, help);
    }

    Setting<T> allowingEmpty() {
        return new Setting<>(name, type, fallback, aliases, isPeers, true, stage, help);
    }

    Setting<T> at(Stage now) {
        return new Setting<>(name, type, fallback, aliases, isPeers, isEmptyAllowed, now, help);
    }

    /// `--max-event-bytes` for `MAX_EVENT_BYTES`.
    public String flag() {
        return flagOf(name);
    }

    /// The flag of a name.
    public static String flagOf(String name) {
        return "--" + name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The flag for one entry of a list, if this is one and the name, its own or an alias, is a plural.
    public Optional<String> singularFlag(String plural) {
        if (!type.isList() || !plural.endsWith("S")) {
            return Optional.empty();
        }
        return Optional.of(flagOf(
                plural.endsWith("IES") ? plural.replaceAll("IES$", "Y") : plural.substring(0, plural.length() - 1)));
    }
}
