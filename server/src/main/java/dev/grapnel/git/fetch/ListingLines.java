package dev.grapnel.git.fetch;

import dev.grapnel.git.fetch.Advertisement.LsRefs;
import dev.grapnel.git.wire.PacketReader;
import dev.grapnel.nostr.repository.RefName;
import java.util.LinkedHashSet;
import java.util.Set;

/// Gathers the arguments of a listing of refs. What a client may make us remember is small, because listing
/// takes no place.
final class ListingLines {
    /// Whoever is interested in more names is told all of them, which the protocol allows.
    private static final int PREFIXES_MAX = 256;

    private static final String PREFIX = "ref-prefix ";

    private final Set<String> prefixes = new LinkedHashSet<>();
    private boolean peel;
    private boolean symbolic;
    private boolean unborn;
    private boolean chosen;

    /// Takes an argument; those nobody here knows change nothing.
    void take(String argument) {
        switch (argument) {
            case "peel" -> peel = true;
            case "symrefs" -> symbolic = true;
            case "unborn" -> unborn = true;
            default -> {
                if (argument.startsWith(PREFIX)) {
                    prefix(argument.substring(PREFIX.length()));
                }
            }
        }
    }

    private void prefix(String latin) {
        chosen = true;
        // No ref has a longer name (service 9), so none begins with more.
        if (latin.length() <= RefName.BYTES_MAX && prefixes.size() <= PREFIXES_MAX) {
            prefixes.add(PacketReader.utf8(latin));
        }
    }

    LsRefs request() {
        boolean everything = !chosen || prefixes.size() > PREFIXES_MAX;
        return new LsRefs(peel, symbolic, unborn, everything ? Set.of("") : prefixes);
    }
}
