/// Which events somebody wants: [Filter] matches one event at a time, [FilterReader] reads filters strangers
/// wrote.
///
/// Not here: looking up stored events, and search (NIP-50), which needs an index. Everything is immutable but
/// the reader, which belongs to the message it reads.
@NullMarked
package dev.grapnel.nostr.filter;

import org.jspecify.annotations.NullMarked;
