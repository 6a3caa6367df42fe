package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.url.Host;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// How the hunt for an identifier stands, for people.
///
/// @param isRunning whether an attempt goes on
/// @param attempts attempts in vain since the last new event
/// @param nextAttempt when it begins again; empty while one goes on
/// @param missing how many objects were missing when that was looked at last
/// @param firstMissing some of them
/// @param answers what each URL answered last, those asked last at the end
/// @param waitingAt domains in whose queues it stands
public record HuntPicture(
        Identifier identifier,
        boolean isRunning,
        int attempts,
        Optional<Instant> nextAttempt,
        int missing,
        List<Oid> firstMissing,
        List<Answer> answers,
        Set<Host> waitingAt) {}
