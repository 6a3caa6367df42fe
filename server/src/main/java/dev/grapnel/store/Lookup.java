package dev.grapnel.store;

/// Which served events are looked for without a filter.
public sealed interface Lookup {
    /// All of a kind.
    record OfKind(int kind) implements Lookup {}

    /// All with a tag of one letter whose first value is this.
    record Tagged(char letter, String value) implements Lookup {}

    /// All of a kind with such a tag.
    record TaggedOfKind(int kind, char letter, String value) implements Lookup {}
}
