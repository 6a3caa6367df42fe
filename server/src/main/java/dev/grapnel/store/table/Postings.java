package dev.grapnel.store.table;

/// A sorted stream of postings, read forwards. A posting is 16 bytes, seen as two words that compare as unsigned, the
/// high one first. What the words mean is the store's business.
public interface Postings {
    /// Whether there is no current posting any more.
    boolean isDone();

    /// High word of the current posting.
    long high();

    /// Low word of the current posting.
    long low();

    /// Goes to the next posting.
    void next();

    /// Goes forward to the first posting at or after this one; stays where it is if it is there already or beyond.
    void seek(long high, long low);

    /// How many postings the list has from its beginning; for streams made of several an upper bound.
    long size();

    /// Whether the current posting comes before the given one.
    default boolean isBefore(long high, long low) {
        int order = Long.compareUnsigned(high(), high);
        return order < 0 || (order == 0 && Long.compareUnsigned(low(), low) < 0);
    }
}
