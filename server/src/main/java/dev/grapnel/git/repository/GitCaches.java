package dev.grapnel.git.repository;

/// How much memory the git library may keep.
///
/// @param windowBytes parts of packs
/// @param deltaBaseBytes objects that others are made from
/// @param wholeBytesMax largest object that is ever whole in memory; larger ones are streamed
/// @param openFilesMax packs open at a time
public record GitCaches(long windowBytes, int deltaBaseBytes, int wholeBytesMax, int openFilesMax) {
    private static final int MIB = 1 << 20;

    public GitCaches {
        if (windowBytes < MIB || deltaBaseBytes < 0 || wholeBytesMax < MIB || openFilesMax < 1) {
            throw new IllegalArgumentException("caches of the git library are too small to work with");
        }
    }

    /// Sizes that leave most of a heap to others: the library's own are for a developer's machine.
    public static GitCaches forHeap(long heapBytes) {
        return new GitCaches(
                Math.clamp(heapBytes / 4, MIB, 512L * MIB),
                Math.clamp(heapBytes / 16, MIB, 128 * MIB),
                Math.clamp(heapBytes / 16, MIB, 50 * MIB),
                512);
    }
}
