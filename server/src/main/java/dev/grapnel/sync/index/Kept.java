package dev.grapnel.sync.index;

/// Goes through all of the index that the next process may use, in an order that is always the same: once to write it
/// down, once to get it back. So there is one list of what is kept, and not two that could differ.
interface Kept {
    /// Gives back what is kept in the place of a number; while writing that is the number itself.
    int number(int value);

    /// The same.
    long number(long value);

    /// The same for any number of numbers.
    int[] numbers(int[] values);

    /// A table.
    void table(Cells cells);

    /// Whether it is gotten back; else it is written down.
    boolean isReturning();
}
