package dev.grapnel.git.client;

import dev.grapnel.nostr.repository.Oid;
import java.util.Collection;
import java.util.Optional;
import java.util.regex.Pattern;

/// The one thing a server writes that is believed: that it does not give an object, and only if it was
/// asked for that one (purgatory P-670).
final class Refusals {
    private static final Pattern UNKNOWN = Pattern.compile("(?:^| )not our ref ([0-9a-f]{40})(?![0-9A-Za-z])");

    private Refusals() {}

    static Optional<Oid> find(String words, Collection<Oid> wants) {
        var match = UNKNOWN.matcher(words);
        return match.find() ? Oid.parse(match.group(1)).find().filter(wants::contains) : Optional.empty();
    }
}
