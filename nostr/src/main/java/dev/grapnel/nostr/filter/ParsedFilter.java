package dev.grapnel.nostr.filter;

import dev.grapnel.nostr.Refusal;

/// Outcome of reading a filter.
public sealed interface ParsedFilter {
    /// It is one.
    record Valid(Filter filter) implements ParsedFilter {}

    /// It is a JSON object, but asks for something malformed (`invalid:`) or unknown (`unsupported:`).
    record Refused(Refusal refusal) implements ParsedFilter {}

    /// It is not JSON.
    record Unreadable(String reason) implements ParsedFilter {}
}
