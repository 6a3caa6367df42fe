package dev.grapnel.git.fetch;

/// What the answer to one fetch may take of memory.
public interface PackBudget {
    /// As much as it likes.
    PackBudget UNBOUNDED = new PackBudget() {
        @Override
        public long most() {
            return Long.MAX_VALUE;
        }

        @Override
        public void shrinkTo(long bytes) {}
    };

    /// Bytes beyond which it is given up.
    long most();

    /// So many bytes turned out to be needed: not more than [PackWeight#most] said before.
    void shrinkTo(long bytes);
}
