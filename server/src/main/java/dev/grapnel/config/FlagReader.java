package dev.grapnel.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Reads flags: `--name value`, `--name=value`, for booleans the name alone, and for lists either everything at
/// once or one entry at a time. What is given twice counts as it was given last.
public final class FlagReader {
    /// Names the configuration file; taken out by whoever reads that file.
    public static final String FILE = "--config";

    private static final String SECRET = "--relay-owner-nsec";

    private final Map<String, Target> byFlag = new HashMap<>();
    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    /// What was given.
    ///
    /// @param values by the names of settings
    /// @param problems each a sentence that names the flag
    public record Flags(Map<String, String> values, List<String> problems) {
        public Flags {
            values = Map.copyOf(values);
            problems = List.copyOf(problems);
        }
    }

    /// What a flag sets.
    ///
    /// @param name of the setting, or an alias
    /// @param isEntry whether it adds one entry to a list
    private record Target(Setting<?> setting, String name, boolean isEntry) {}

    private FlagReader(List<Setting<?>> settings) {
        for (var setting : settings) {
            add(setting, setting.name());
            setting.aliases().forEach(alias -> add(setting, alias));
        }
    }

    private void add(Setting<?> setting, String name) {
        byFlag.put(Setting.flagOf(name), new Target(setting, name, false));
        setting.singularFlag(name).ifPresent(flag -> byFlag.putIfAbsent(flag, new Target(setting, name, true)));
    }

    /// Reads all arguments.
    public static Flags read(List<String> arguments) {
        var reader = new FlagReader(Settings.ALL);
        var words = new ArrayList<>(arguments);
        for (int i = 0; i < words.size(); i++) {
            i = reader.take(words, i);
        }
        return new Flags(reader.values, reader.problems);
    }

    /// Takes the argument at an index and what belongs to it; gives the index of the last.
    private int take(List<String> words, int index) {
        var word = words.get(index);
        int equals = word.indexOf('=');
        var flag = equals < 0 ? word : word.substring(0, equals);
        if (flag.equals(SECRET)) {
            problems.add(SECRET + " is not taken, because arguments show in lists of processes; set the variable"
                    + " GRAPNEL_RELAY_OWNER_NSEC, a credential, or the file .relay-owner.nsec");
            return isValue(words, index + 1) && equals < 0 ? index + 1 : index;
        }
        if (flag.equals(FILE)) {
            problems.add(FILE + " lacks its value (it is a path)"); // with one it would not be here any more
            return index;
        }
        var target = byFlag.get(flag);
        if (target == null) {
            problems.add(unknown(flag));
            return isValue(words, index + 1) && equals < 0 && flag.startsWith("-") ? index + 1 : index;
        }
        if (equals >= 0) {
            put(target, word.substring(equals + 1));
            return index;
        }
        var type = target.setting().type();
        if (type.isFlag() && !isBoolean(type, words, index + 1)) {
            put(target, "true");
            return index;
        }
        if (!isValue(words, index + 1)) {
            problems.add(flag + " lacks its value (it is " + type.description() + ")");
            return index;
        }
        put(target, words.get(index + 1));
        return index + 1;
    }

    private static boolean isValue(List<String> words, int index) {
        return index < words.size() && !words.get(index).startsWith("--");
    }

    private static boolean isBoolean(ValueType<?> type, List<String> words, int index) {
        return isValue(words, index) && type.parse(words.get(index)).find().isPresent();
    }

    private void put(Target target, String text) {
        var separator = target.setting().type().separator();
        values.merge(target.name(), text, (before, now) -> target.isEntry() ? before + separator + now : now);
    }

    private String unknown(String flag) {
        var words = new TreeSet<>(byFlag.keySet());
        words.addAll(List.of(FILE, "--help", "--version"));
        return flag.startsWith("--")
                ? flag + " is unknown"
                        + Nearest.of(flag, words)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("")
                : Secrets.hide(flag) + " is not understood: flags begin with --";
    }
}
