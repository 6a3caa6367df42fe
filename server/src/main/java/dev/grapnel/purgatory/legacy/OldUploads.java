package dev.grapnel.purgatory.legacy;

import dev.grapnel.store.row.AreaName;
import java.io.IOException;
import java.util.Optional;

/// Turns pushes that the existing server took in before their event into staging areas (purgatory P-715). It
/// keeps their objects in its own repositories, under `refs/nostr/<id>`; here nothing that waits may be in a
/// repository, so a row needs an area it can name.
@FunctionalInterface
public interface OldUploads {
    /// Makes no area: then no push is taken over. Placeholders are left out, pull requests are held without their
    /// pushes and wait for the commit to come again. Both are counted.
    OldUploads NONE = _ -> Optional.empty();

    /// Makes an area of its own with the objects of a push, durable before this returns; empty if they are not
    /// all here. Asked again after a crash, it may answer with another one: areas that no row names are deleted
    /// at start-up.
    Optional<AreaName> stage(OldPush push) throws IOException;
}
