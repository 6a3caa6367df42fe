package dev.grapnel.purgatory.legacy;

import dev.grapnel.purgatory.legacy.LegacyEntry.Unfit;
import dev.grapnel.purgatory.legacy.LegacyEntry.Waiting;
import java.util.Optional;

/// Reads an entry and looks at the signature of its event too (purgatory P-712). The answer is the same each time.
final class EntryCheck {
    private static final String OVERLONG =
            "it is longer than " + (FilePass.ENTRY_BYTES_MAX >> 20) + " MiB, which no event can be";

    private final EntryReader reader;

    EntryCheck(EntryReader reader) {
        this.reader = reader;
    }

    LegacyEntry check(OldMap map, String key, Optional<byte[]> json) {
        if (json.isEmpty()) {
            return new Unfit(EntryReader.storeOf(map), OVERLONG);
        }
        var entry = reader.read(map, key, json.get());
        return entry instanceof Waiting waiting && !waiting.event().isSigned()
                ? new Unfit(waiting.store(), "the signature of its event is wrong")
                : entry;
    }
}
