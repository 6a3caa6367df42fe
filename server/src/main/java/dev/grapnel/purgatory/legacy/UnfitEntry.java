package dev.grapnel.purgatory.legacy;

/// An entry cannot be used. Never leaves [EntryReader].
final class UnfitEntry extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;

    /// @param reason a phrase about "it", the entry
    UnfitEntry(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
