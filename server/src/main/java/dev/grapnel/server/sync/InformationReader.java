package dev.grapnel.server.sync;

import dev.grapnel.nostr.json.JsonScanner;
import dev.grapnel.nostr.json.JsonToken;
import dev.grapnel.sync.world.RelayInformation;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Reads what a relay says of itself (NIP-11). Lenient: a field of another form than expected counts as absent; only
/// what is no JSON object says nothing at all.
final class InformationReader {
    private static final int DEPTH_MAX = 64;

    /// Specifications a server may name; there are not so many.
    private static final int GRASPS_MAX = 100;

    private final JsonScanner scan;
    private OptionalInt messageMax = OptionalInt.empty();
    private OptionalInt subscriptionsMax = OptionalInt.empty();
    private OptionalInt limitMax = OptionalInt.empty();
    private OptionalInt filtersMax = OptionalInt.empty();
    private boolean authRequired;
    private Optional<Set<String>> grasps = Optional.empty();

    private InformationReader(byte[] json) {
        this.scan = new JsonScanner(json, 0, json.length, DEPTH_MAX);
    }

    /// Reads a whole document.
    static Optional<RelayInformation> read(byte[] json) {
        return new InformationReader(json).read();
    }

    private Optional<RelayInformation> read() {
        if (scan.next() != JsonToken.BEGIN_OBJECT || !fields(this::field) || scan.next() != JsonToken.END) {
            return Optional.empty();
        }
        return Optional.of(
                new RelayInformation(messageMax, subscriptionsMax, limitMax, filtersMax, authRequired, grasps));
    }

    /// Takes the value of one field.
    @FunctionalInterface
    private interface Field {
        /// @param value its first token
        /// @return whether this is still JSON
        boolean take(String name, JsonToken value);
    }

    /// @return whether this is an object up to its end
    private boolean fields(Field field) {
        var token = scan.next();
        while (token == JsonToken.NAME) {
            var name = scan.hasLoneSurrogate() ? "" : scan.text();
            if (!field.take(name, scan.next())) {
                return false;
            }
            token = scan.next();
        }
        return token == JsonToken.END_OBJECT;
    }

    private boolean field(String name, JsonToken value) {
        if (name.equals("limitation") && value == JsonToken.BEGIN_OBJECT) {
            return fields(this::limitation);
        }
        boolean isList = name.equals("supported_grasps") && value == JsonToken.BEGIN_ARRAY;
        return isList ? readGrasps() : pass(value);
    }

    private boolean limitation(String name, JsonToken value) {
        switch (name) {
            case "max_message_length" -> messageMax = number(value);
            case "max_subscriptions" -> subscriptionsMax = number(value);
            case "max_limit" -> limitMax = number(value);
            case "max_filters" -> filtersMax = number(value);
            case "auth_required" -> authRequired = value == JsonToken.TRUE;
            default -> {
                // the others tune nothing
            }
        }
        return pass(value);
    }

    private OptionalInt number(JsonToken value) {
        long number = value == JsonToken.NUMBER ? scan.plainInteger() : 0;
        return number < 1 ? OptionalInt.empty() : OptionalInt.of((int) Math.min(number, Integer.MAX_VALUE));
    }

    private boolean readGrasps() {
        var names = new HashSet<String>();
        var token = scan.next();
        while (token != JsonToken.END_ARRAY) {
            if (token == JsonToken.STRING && !scan.hasLoneSurrogate() && names.size() < GRASPS_MAX) {
                names.add(scan.text().toUpperCase(Locale.ROOT));
            }
            if (!pass(token)) {
                return false;
            }
            token = scan.next();
        }
        grasps = Optional.of(names);
        return true;
    }

    private boolean pass(JsonToken value) {
        return value != JsonToken.FAILURE && scan.skip(value);
    }
}
