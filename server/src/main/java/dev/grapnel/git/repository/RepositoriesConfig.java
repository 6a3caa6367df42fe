package dev.grapnel.git.repository;

/// What an operator may choose about repositories on disk.
///
/// @param openMax repositories kept open; those in use may be more
/// @param openBytesMax of memory that those kept open may take with their indexes and refs
public record RepositoriesConfig(int openMax, long openBytesMax, GitCaches caches) {
    public static final int OPEN_MAX = 200;

    public RepositoriesConfig {
        if (openMax < 1) {
            throw new IllegalArgumentException("at least one repository must be kept open");
        }
    }

    /// For the heap of this process.
    public static RepositoriesConfig defaults() {
        long heap = Runtime.getRuntime().maxMemory();
        return new RepositoriesConfig(OPEN_MAX, heap / 8, GitCaches.forHeap(heap));
    }
}
