package dev.grapnel.nostr.repository;

/// What an announcement can say that somebody is, by the letter of the tag (service 1.4).
public enum Role {
    /// Whose view of the maintainers counts.
    LEAD("M"),
    /// May sign states.
    MAINTAINER("m"),
    /// Issues, proposals and statuses only, never states.
    MODERATOR("o");

    private final String letter;

    Role(String letter) {
        this.letter = letter;
    }

    /// The name of the tag.
    public String letter() {
        return letter;
    }

    /// Whether an active record of this role lists somebody as a maintainer.
    public boolean lists() {
        return this != MODERATOR;
    }
}
