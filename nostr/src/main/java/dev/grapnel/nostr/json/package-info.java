/// Strict JSON over bytes, as RFC 8259 has it and nothing more.
///
/// [JsonScanner] reads: one pass, no tree, no recursion, no exception for bad input. [JsonText] knows the one
/// canonical way a string is escaped (relay 1.3) and what an escaped string means; [JsonWriter] writes with
/// it. Not here: what the texts mean. All state belongs to the caller; nothing is shared between threads.
@NullMarked
package dev.grapnel.nostr.json;

import org.jspecify.annotations.NullMarked;
