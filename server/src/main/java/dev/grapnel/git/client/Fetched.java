package dev.grapnel.git.client;

import dev.grapnel.nostr.repository.Oid;

/// What became of one request for objects.
public sealed interface Fetched {
    /// All that was asked for lies in the hunting area, or did before. What of it counts is for the pool to
    /// say.
    ///
    /// @param objects that came
    /// @param bytes of the pack
    record Received(long objects, long bytes) implements Fetched {}

    /// The server does not give one of them, or has something else than a commit where that is wanted, and gave
    /// none of the others this time: those may be asked for again.
    record Unknown(Oid id) implements Fetched {}

    /// The server gives nothing that it does not advertise, and something else was asked for. It was not
    /// bothered.
    record OnlyAdvertised() implements Fetched {}

    /// All of it came, but the area was deleted meanwhile, because nobody waits for it any more.
    record Unwanted() implements Fetched {}
}
