package dev.grapnel.store.tool;

import java.util.OptionalLong;

/// How far an import has come.
///
/// @param bytes of the input that are done
/// @param bytesPassed of them, those that an earlier import did
/// @param bytesTotal of the input, if that is known
/// @param events lines that were looked at and are done
/// @param refused of them
public record ImportProgress(long bytes, long bytesPassed, OptionalLong bytesTotal, long events, long refused) {}
