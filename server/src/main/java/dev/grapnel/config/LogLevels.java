package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What is logged (service 10.1).
///
/// @param own the level of Grapnel itself; libraries stay at `warn`
/// @param named levels of parts, by the names the operator gave them
public record LogLevels(Level own, SortedMap<String, Level> named) {
    /// From little to much.
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE;

        /// As an operator writes it.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Parsed<Level> parse(String word) {
            return Arrays.stream(values())
                    .filter(level -> level.word().equalsIgnoreCase(word))
                    .findFirst()
                    .map(Parsed::valid)
                    .orElseGet(() ->
                            Parsed.invalid(Secrets.hide(word) + " is not a level: error, warn, info, debug or trace"));
        }
    }

    /// What every logger of Grapnel begins with; logs leave it out.
    public static final String ROOT = "dev.grapnel";

    static final ValueType<LogLevels> TYPE = ValueTypes.parsed(
            "<level>",
            "error, warn, info, debug or trace; or a list of name=level, separated by commas",
            LogLevels::parse,
            LogLevels::toString);

    private static final String SHORT_ROOT = "grapnel";

    /// The first words of our packages.
    private static final List<String> PARTS = List.of(
            "client",
            "command",
            "config",
            "git",
            "log",
            "nostr",
            "outbound",
            "purgatory",
            "server",
            "store",
            "sync",
            "websocket");

    /// Libraries that log.
    private static final List<String> LIBRARIES =
            List.of("io.micrometer", "io.prometheus", "org.eclipse.jetty", "org.eclipse.jgit");

    public LogLevels {
        named = Collections.unmodifiableSortedMap(new TreeMap<>(named));
    }

    /// Reads a level, or a list of `name=level`; a level alone may stand among them.
    public static Parsed<LogLevels> parse(String text) {
        var levels = new TreeMap<String, Level>();
        for (var part : text.split(",", -1)) {
            if (part.isBlank()) {
                continue; // a comma at the end
            }
            switch (Entry.parse(part.strip())) {
                case Parsed.Valid<Entry>(var entry) -> {
                    if (levels.putIfAbsent(entry.name, entry.level) != null) {
                        return Parsed.invalid("there are two levels for " + entry);
                    }
                }
                case Parsed.Invalid<Entry>(var reason) -> {
                    return Parsed.invalid(reason);
                }
            }
        }
        var own = Optional.ofNullable(levels.remove(Entry.GRAPNEL)).orElse(Level.INFO);
        return Parsed.valid(new LogLevels(own, levels));
    }

    /// One part of the list.
    ///
    /// @param name empty for Grapnel itself
    private record Entry(String name, Level level) {
        static final String GRAPNEL = "";

        static Parsed<Entry> parse(String text) {
            int equals = text.indexOf('=');
            var name = text.substring(0, Math.max(equals, 0)).strip();
            return equals >= 0 && name.isEmpty()
                    ? Parsed.invalid("there is no name in front of =")
                    : Level.parse(text.substring(equals + 1).strip()).map(level -> new Entry(name, level));
        }

        @Override
        public String toString() {
            return name.isEmpty() ? "Grapnel" : Secrets.hide(name);
        }
    }

    /// Names of loggers and their levels, Grapnel's own among them.
    public Map<String, Level> loggers() {
        var loggers = new TreeMap<String, Level>();
        loggers.put(ROOT, own);
        named.forEach((name, level) -> findLogger(name).ifPresent(logger -> loggers.put(logger, level)));
        return loggers;
    }

    /// Names that nothing here has: deployments of the existing server name its parts.
    public List<String> unknownNames() {
        return named.keySet().stream()
                .filter(name -> findLogger(name).isEmpty())
                .toList();
    }

    /// A name is as in the log, where ours lack their root, or the whole one.
    private static Optional<String> findLogger(String name) {
        if (name.equals(ROOT) || name.equals(SHORT_ROOT)) {
            return Optional.of(ROOT);
        }
        if (LIBRARIES.stream().anyMatch(library -> isBelow(name, library))) {
            return Optional.of(name);
        }
        var rest = name.startsWith(ROOT + ".")
                ? name.substring(ROOT.length() + 1)
                : name.startsWith(SHORT_ROOT + ".") ? name.substring(SHORT_ROOT.length() + 1) : name;
        return PARTS.stream().anyMatch(part -> isBelow(rest, part)) ? Optional.of(ROOT + "." + rest) : Optional.empty();
    }

    private static boolean isBelow(String name, String root) {
        return name.equals(root) || name.startsWith(root + ".");
    }

    @Override
    public String toString() {
        return own.word()
                + named.entrySet().stream()
                        .map(entry ->
                                "," + entry.getKey() + "=" + entry.getValue().word())
                        .collect(Collectors.joining());
    }
}
