package dev.grapnel.sync.received;

/// Some slots of [RefusedIndex]: 64 bytes each.
final class RefusedChunk {
    /// Slots of a chunk.
    static final int SIZE = 1 << 13;

    static final int IS_LIVE = 1;
    static final int IS_COLD = 2;

    final long[] ids = new long[4 * SIZE];
    /// `IS_LIVE`, `IS_COLD`.
    final byte[] flags = new byte[SIZE];
    /// Codes of [dev.grapnel.store.row.RefusedEvent.Reason].
    final byte[] reasons = new byte[SIZE];
    final byte[] attempts = new byte[SIZE];
    final char[] kinds = new char[SIZE];
    /// Unix seconds, unsigned.
    final int[] createdAt = new int[SIZE];
    /// Unix seconds, unsigned.
    final int[] refusedAt = new int[SIZE];
    /// Unix seconds, unsigned.
    final int[] until = new int[SIZE];
    /// Numbers in [Sources].
    final int[] sources = new int[SIZE];
    /// Last rows in [Waits].
    final int[] waits = new int[SIZE];
    final int[] groups = new int[SIZE];
}
