package dev.grapnel.config;

import dev.grapnel.config.ConfigSources.Given;
import dev.grapnel.config.Configuration.Value;
import dev.grapnel.nostr.Parsed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Finds the value of every setting. All problems are gathered: who mends one should not meet the next at the
/// next start.
public final class ConfigReader {
    private static final Duration TEST_TIMER = Duration.ofMillis(200);

    private final List<Setting<?>> settings;
    private final Set<String> ignored;
    private final Set<String> silent;
    private final Map<Setting<?>, Value<?>> values = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<String> mailboxes = new ArrayList<>();

    /// What came of it.
    public sealed interface Outcome {
        /// All could be read.
        record Good(Configuration configuration) implements Outcome {}

        /// Something could not.
        ///
        /// @param problems each a sentence that names the setting
        record Bad(List<String> problems) implements Outcome {
            public Bad {
                problems = List.copyOf(problems);
            }
        }
    }

    /// @param settings all there are
    /// @param ignored names with prefix that are reported and otherwise ignored; a star at the end stands for
    ///     anything
    /// @param silent names with prefix that are ignored without a word
    ConfigReader(List<Setting<?>> settings, Set<String> ignored, Set<String> silent) {
        this.settings = List.copyOf(settings);
        this.ignored = Set.copyOf(ignored);
        this.silent = Set.copyOf(silent);
    }

    /// Reads all settings.
    public static Outcome read(ConfigSources sources) {
        return new ConfigReader(Settings.ALL, Settings.IGNORED, Settings.SILENT).run(sources);
    }

    /// The same, after flags were read.
    public static Outcome read(FlagReader.Flags flags, ConfigSources sources) {
        var reader = new ConfigReader(Settings.ALL, Settings.IGNORED, Settings.SILENT);
        reader.problems.addAll(flags.problems());
        return reader.run(new ConfigSources(flags.values(), sources.variables(), sources.file(), sources.fileName()));
    }

    Outcome run(ConfigSources sources) {
        for (var setting : settings) {
            read(setting, sources);
        }
        shortenTimers();
        tellMailboxes();
        tellUnknownLoggers();
        findUnknown("", sources.variables().keySet());
        findUnknown(" in " + sources.fileName(), sources.file().keySet());
        var configuration = new Configuration(values, warnings);
        problems.addAll(Combinations.judge(configuration));
        return problems.isEmpty() ? new Outcome.Good(configuration) : new Outcome.Bad(problems);
    }

    private <T> void read(Setting<T> setting, ConfigSources sources) {
        var given = findGiven(setting, sources);
        if (given.isPresent()) {
            take(setting, given.get());
        } else {
            setting.fallback().ifPresent(value -> values.put(setting, new Value<>(value, Value.DEFAULT)));
        }
        warnOfDifference(setting, sources);
    }

    /// Any source of the name itself beats all of an alias.
    private static Optional<Given> findGiven(Setting<?> setting, ConfigSources sources) {
        var own = sources.find(setting.name(), setting.isPeers(), setting.isEmptyAllowed());
        for (int i = 0; own.isEmpty() && i < setting.aliases().size(); i++) {
            own = sources.find(setting.aliases().get(i), true, setting.isEmptyAllowed());
        }
        return own;
    }

    private <T> void take(Setting<T> setting, Given given) {
        switch (setting.type().parse(given.text())) {
            case Parsed.Valid<T>(var value) -> {
                values.put(setting, new Value<>(value, given.origin()));
                tellStage(setting, value, given.origin());
            }
            case Parsed.Invalid<T>(var reason) ->
                problems.add(given.origin() + " " + reason + " (it is "
                        + setting.type().description() + ")");
        }
    }

    private <T> void tellStage(Setting<T> setting, T value, String origin) {
        boolean isDefault = setting.fallback().equals(Optional.of(value));
        switch (setting.stage()) {
            case NOW -> {}
            case LATER -> {
                if (SyncSettings.MAILBOXES.contains(setting)) {
                    mailboxes.add(origin); // told even if it is the default, which is not what happens
                } else if (!isDefault) {
                    warnings.add(origin + " has no effect yet: its part is not in this version");
                }
            }
            case IGNORED -> warnings.add(origin + " is ignored");
            case REFUSED -> {
                if (!isDefault) {
                    problems.add(
                            origin + " cannot be honoured by this version, and to start without it would be wrong");
                }
            }
        }
    }

    /// A test server does not gather changes for seconds (sync 9.3), unless somebody says for how long.
    private void shortenTimers() {
        if (values.get(ServiceSettings.TEST) instanceof Value<?>(Boolean isTest, var origin) && isTest) {
            for (var timer :
                    List.of(SyncSettings.SYNC_BATCH_WINDOW_MS, PurgatorySettings.PURGATORY_ANNOUNCEMENT_SYNC_MS)) {
                values.computeIfPresent(timer, (_, value) -> value.isGiven() ? value : new Value<>(TEST_TIMER, origin));
            }
        }
    }

    /// One word about all settings of a part that is not there (sync 9.3).
    private void tellMailboxes() {
        if (!mailboxes.isEmpty()) {
            warnings.add("ignored, because contributions are not looked for at the relays of their authors yet: "
                    + String.join(", ", mailboxes));
        }
    }

    private void tellUnknownLoggers() {
        if (values.get(ServiceSettings.LOG_LEVEL) instanceof Value<?>(LogLevels levels, var origin)
                && !levels.unknownNames().isEmpty()) {
            warnings.add(origin + " names what is not part of Grapnel, and is ignored there: "
                    + String.join(", ", levels.unknownNames()));
        }
    }

    private void warnOfDifference(Setting<?> setting, ConfigSources sources) {
        var own = sources.variables().get(ConfigSources.OWN + setting.name());
        var peers = sources.variables().get(ConfigSources.PEERS + setting.name());
        if (setting.isPeers()
                && own != null
                && peers != null
                && !own.isBlank()
                && !peers.isBlank()
                && !own.strip().equals(peers.strip())) {
            warnings.add(ConfigSources.OWN + setting.name() + " and " + ConfigSources.PEERS + setting.name()
                    + " differ; the first one counts");
        }
    }

    private void findUnknown(String where, Collection<String> names) {
        var own = new HashSet<String>();
        var peers = new HashSet<String>();
        for (var setting : settings) {
            own.add(ConfigSources.OWN + setting.name());
            if (setting.isPeers()) {
                peers.add(ConfigSources.PEERS + setting.name());
            }
            for (var alias : setting.aliases()) {
                own.add(ConfigSources.OWN + alias);
                peers.add(ConfigSources.PEERS + alias);
            }
        }
        for (var name : new TreeSet<>(names)) {
            if (name.startsWith(ConfigSources.OWN) && !own.contains(name) && !silent.contains(name)) {
                problems.add(name + where + " is unknown"
                        + Nearest.of(name, own)
                                .map(word -> "; did you mean " + word + "?")
                                .orElse(""));
            } else if (name.startsWith(ConfigSources.PEERS) && !peers.contains(name) && !silent.contains(name)) {
                warnings.add(name + where + (isIgnored(name) ? " is ignored" : " is unknown, and ignored"));
            }
        }
    }

    private boolean isIgnored(String name) {
        return ignored.stream()
                .anyMatch(known -> known.endsWith("*")
                        ? name.startsWith(known.substring(0, known.length() - 1))
                        : name.equals(known));
    }
}
