package dev.grapnel.server.address;

/// How many are here, for metrics. Addresses themselves never appear there (service 9).
///
/// @param connections open now
/// @param addresses that have one, exempt ones too
/// @param flagged addresses with more connections than looks right
public record AddressFigures(int connections, int addresses, int flagged) {}
