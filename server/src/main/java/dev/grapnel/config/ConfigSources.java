package dev.grapnel.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where values come from, as they were written.
///
/// @param flags by name as in [Setting#name], those that were given
/// @param variables of the environment
/// @param file lines of the configuration file, by name with prefix
/// @param fileName what the operator calls the file
public record ConfigSources(
        Map<String, String> flags, Map<String, String> variables, Map<String, String> file, String fileName) {
    static final String OWN = "GRAPNEL_";
    static final String PEERS = "NGIT_";

    public ConfigSources {
        flags = Map.copyOf(flags);
        variables = Map.copyOf(variables);
        file = Map.copyOf(file);
    }

    /// Text that was given for a setting, and where.
    ///
    /// @param origin as the operator would name it
    record Given(String text, String origin) {}

    /// What was given under a name, the strongest source first. Empty text counts as nothing unless it is
    /// allowed.
    Optional<Given> find(String name, boolean isPeers, boolean isEmptyAllowed) {
        return all(name, isPeers).entrySet().stream()
                .map(entry -> new Given(entry.getValue().strip(), entry.getKey()))
                .filter(given -> isEmptyAllowed || !given.text().isEmpty())
                .findFirst();
    }

    private Map<String, String> all(String name, boolean isPeers) {
        var found = new LinkedHashMap<String, String>();
        add(found, Setting.flagOf(name), flags.get(name));
        add(found, OWN + name, variables.get(OWN + name));
        if (isPeers) {
            add(found, PEERS + name, variables.get(PEERS + name));
        }
        add(found, OWN + name + " in " + fileName, file.get(OWN + name));
        if (isPeers) {
            add(found, PEERS + name + " in " + fileName, file.get(PEERS + name));
        }
        return found;
    }

    private static void add(Map<String, String> found, String origin, @Nullable String text) {
        if (text != null) {
            found.put(origin, text);
        }
    }
}
