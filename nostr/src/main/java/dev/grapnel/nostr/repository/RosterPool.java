package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.key.PublicKey;
import java.util.Optional;

/// P of service 5.1.2: of each author the newest announcement of one identifier, as far as it counts. An
/// index that is kept up to date may answer this as well as a collection made for one question.
@FunctionalInterface
public interface RosterPool {
    /// What this author's announcement says; empty if there is none.
    Optional<Roster> find(PublicKey author);
}
