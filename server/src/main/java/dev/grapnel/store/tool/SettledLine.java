package dev.grapnel.store.tool;

/// What became of a line.
sealed interface SettledLine {
    /// Its number in its source, from 1.
    long line();

    /// The event is served now.
    ///
    /// @param removed how many events left service for it
    record Stored(long line, long removed) implements SettledLine {}

    /// The event was here already.
    record Known(long line) implements SettledLine {}

    /// A newer version is here.
    record Older(long line) implements SettledLine {}

    record Refused(RefusedLine refused) implements SettledLine {
        @Override
        public long line() {
            return refused.line();
        }
    }
}
