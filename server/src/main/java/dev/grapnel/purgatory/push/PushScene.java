package dev.grapnel.purgatory.push;

import dev.grapnel.git.refs.Refs;

/// Everything a push is judged by, at one moment.
///
/// @param remote the repository, and how commands name it
/// @param standing whether it takes pushes at all
/// @param governing its maintainers and their states, picked without what the push brought
/// @param refs as they are
/// @param objects what is here; after the pack together with what the push brought
/// @param proposals events that refs may be named after
public record PushScene(
        Remote remote, Standing standing, Governing governing, Refs refs, Objects objects, Proposals proposals) {}
