package dev.grapnel.git.refs;

import dev.grapnel.nostr.repository.Oid;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a ref names.
///
/// @param target the object
/// @param behind what an annotated tag stands for in the end; absent if the target is no tag
public record RefValue(Oid target, @Nullable Oid behind) {
    /// What an annotated tag stands for in the end.
    public Optional<Oid> peeled() {
        return Optional.ofNullable(behind);
    }
}
