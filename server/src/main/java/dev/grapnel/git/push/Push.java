package dev.grapnel.git.push;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.List;

/// What is to be judged: commands whose names are names, each at most once.
///
/// @param repository where to
/// @param commands in the order they came
/// @param client who pushes
public record Push(RepositoryAddress repository, List<PushCommand> commands, Pusher client) {
    public Push {
        commands = List.copyOf(commands);
    }
}
