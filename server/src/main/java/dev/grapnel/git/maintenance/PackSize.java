package dev.grapnel.git.maintenance;

/// How large a pack is.
///
/// @param name without its extension
public record PackSize(String name, long bytes, long objects) {}
