package dev.grapnel.git.push;

import java.util.List;
import java.util.Set;

/// The beginning of a push: everything before the pack.
///
/// @param commands in the order they came
/// @param capabilities words of the protocol the client uses
/// @param options what the client passes on; nobody here knows any
/// @param shallow whether the client says that it lacks a part of the history
public record PushRequest(List<PushCommand> commands, Set<String> capabilities, List<String> options, boolean shallow) {
    public PushRequest {
        commands = List.copyOf(commands);
        capabilities = Set.copyOf(capabilities);
        options = List.copyOf(options);
    }

    /// Git's way to find out whether it may send something long.
    public boolean isProbe() {
        return commands.isEmpty();
    }

    /// Whether objects follow.
    public boolean hasPack() {
        return commands.stream().anyMatch(command -> !command.isDeletion());
    }

    /// Whether the client wants to be told what became of each ref.
    public boolean wantsReport() {
        return capabilities.contains("report-status") || capabilities.contains("report-status-v2");
    }

    /// Whether the protocol that the client chose has a place for reasons.
    boolean canReadReport() {
        return wantsReport() || hasSideBand();
    }

    /// Whether words for people can be sent besides.
    public boolean hasSideBand() {
        return capabilities.contains("side-band-64k");
    }
}
