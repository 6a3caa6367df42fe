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
    private static final String SECRET = "--relay-owner-nsec";

    private final Map<String, Setting<?>> byFlag = new HashMap<>();
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

    private FlagReader(List<Setting<?>> settings) {
        for (var setting : settings) {
            byFlag.put(setting.flag(), setting);
            setting.singularFlag().ifPresent(flag -> byFlag.putIfAbsent(flag, setting));
            setting.aliases().forEach(alias -> byFlag.put(Setting.flagOf(alias), setting));
        }
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
        var setting = byFlag.get(flag);
        if (setting == null) {
            problems.add(unknown(flag));
            return isValue(words, index + 1) && equals < 0 && flag.startsWith("-") ? index + 1 : index;
        }
        if (equals >= 0) {
            put(setting, flag, word.substring(equals + 1));
            return index;
        }
        if (setting.type().isFlag() && !isBoolean(setting, words, index + 1)) {
            put(setting, flag, "true");
            return index;
        }
        if (!isValue(words, index + 1)) {
            problems.add(flag + " lacks its value (it is " + setting.type().description() + ")");
            return index;
        }
        put(setting, flag, words.get(index + 1));
        return index + 1;
    }

    private static boolean isValue(List<String> words, int index) {
        return index < words.size() && !words.get(index).startsWith("--");
    }

    private static boolean isBoolean(Setting<?> setting, List<String> words, int index) {
        return isValue(words, index)
                && setting.type().parse(words.get(index)).find().isPresent();
    }

    private void put(Setting<?> setting, String flag, String text) {
        var name = setting.aliases().stream()
                .filter(alias -> Setting.flagOf(alias).equals(flag))
                .findFirst()
                .orElse(setting.name());
        boolean isEntry = setting.singularFlag().filter(flag::equals).isPresent();
        values.merge(name, text, (before, now) -> isEntry ? before + "," + now : now);
    }

    private String unknown(String flag) {
        return flag.startsWith("--")
                ? flag + " is unknown"
                        + Nearest.of(flag, new TreeSet<>(byFlag.keySet()))
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("")
                : flag + " is not understood: flags begin with --";
    }
}
