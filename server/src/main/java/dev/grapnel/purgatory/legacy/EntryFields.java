package dev.grapnel.purgatory.legacy;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.purgatory.legacy.EntryReader.OldRef;
import java.util.List;
import java.util.Optional;

/// The fields of an entry that mean something here, as written. Which of them there must be depends on the map.
///
/// @param event its id is its hash
/// @param createdOffset seconds after the file was saved; what does not fit is `Long.MAX_VALUE`
/// @param source empty if it was written before there was one
/// @param standardRefs the first of them
/// @param standardRefCount how many there were
record EntryFields(
        Optional<Event> event,
        Optional<String> identifier,
        Optional<String> author,
        Optional<String> owner,
        Optional<String> commit,
        long createdOffset,
        long expiresOffset,
        Optional<String> source,
        Optional<OldRef> prsScope,
        List<OldRef> standardRefs,
        int standardRefCount) {
    EntryFields {
        standardRefs = List.copyOf(standardRefs);
    }

    int pushCount() {
        return standardRefCount + (prsScope.isPresent() ? 1 : 0);
    }
}
