package dev.grapnel.store.tool;

/// How an import goes about it.
///
/// @param threads that check signatures
/// @param isFromStart do all of the input, also what an earlier import of the same had done
public record ImportOptions(int threads, boolean isFromStart) {}
