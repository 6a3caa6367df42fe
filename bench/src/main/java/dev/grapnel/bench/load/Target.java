package dev.grapnel.bench.load;

import dev.grapnel.bench.load.wire.RelayUrl;
import java.util.OptionalLong;

/// A relay that is measured, with its process if it runs on this machine.
record Target(String name, RelayUrl url, OptionalLong pid) {
    /// Reads `[NAME=]URL[,PID]`.
    ///
    /// @throws IllegalArgumentException if it is not of this form
    static Target parse(String text) {
        int comma = text.lastIndexOf(',');
        var pid = comma < 0 ? OptionalLong.empty() : OptionalLong.of(pid(text.substring(comma + 1)));
        var rest = comma < 0 ? text : text.substring(0, comma);
        int equals = rest.indexOf('=');
        int scheme = rest.indexOf("://");
        boolean named = equals >= 0 && equals < scheme;
        var url = RelayUrl.parse(named ? rest.substring(equals + 1) : rest);
        return new Target(named ? rest.substring(0, equals) : url.host() + ":" + url.port(), url, pid);
    }

    /// The same with a process.
    Target withPid(long process) {
        return new Target(name, url, OptionalLong.of(process));
    }

    private static long pid(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text + " is not the number of a process", e);
        }
    }
}
