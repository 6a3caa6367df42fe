package dev.grapnel.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The effective values.
///
/// @param values those that are set, by others or by default
/// @param warnings what the operator should know although the program starts
public record Configuration(Map<Setting<?>, Value<?>> values, List<String> warnings) {
    /// A value and where it was set.
    ///
    /// @param origin as the operator would name it, or `default`
    public record Value<T>(T value, String origin) {
        static final String DEFAULT = "default";

        /// Whether somebody set it.
        public boolean isGiven() {
            return !origin.equals(DEFAULT);
        }
    }

    public Configuration {
        values = Map.copyOf(values);
        warnings = List.copyOf(warnings);
    }

    /// The value of a setting; empty if nobody set it and it has no default.
    public <T> Optional<T> find(Setting<T> setting) {
        return findValue(setting).map(Value::value);
    }

    /// The value of a setting that has a default.
    ///
    /// @throws IllegalStateException if it has none
    public <T> T require(Setting<T> setting) {
        return find(setting).orElseThrow(() -> new IllegalStateException(setting.name() + " has no value"));
    }

    /// The value of a setting and where it was set.
    @SuppressWarnings("unchecked") // the reader puts a value of a setting's own type beside it, and nobody else does
    public <T> Optional<Value<T>> findValue(Setting<T> setting) {
        return Optional.ofNullable((Value<T>) values.get(setting));
    }
}
