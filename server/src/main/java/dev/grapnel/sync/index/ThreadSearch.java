package dev.grapnel.sync.index;

import java.util.List;

/// Whose answers to look for in the store.
///
/// @param ids of roots and members
/// @param addresses of those members that have one
record ThreadSearch(List<String> ids, List<String> addresses) {
    ThreadSearch {
        ids = List.copyOf(ids);
        addresses = List.copyOf(addresses);
    }

    boolean isEmpty() {
        return ids.isEmpty();
    }
}
