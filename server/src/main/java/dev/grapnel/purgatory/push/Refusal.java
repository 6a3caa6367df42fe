package dev.grapnel.purgatory.push;

import dev.grapnel.git.push.PushCommand;
import dev.grapnel.git.push.PushVerdict;
import dev.grapnel.nostr.repository.RepositoryState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// Puts a refusal together: which refs are to blame and why, then differences, then a hint.
final class Refusal {
    private final SequencedMap<String, String> reasons = new LinkedHashMap<>();

    private Refusal() {}

    /// One reason for all.
    static Refusal of(List<PushCommand> blamed, String reason) {
        var refusal = new Refusal();
        blamed.forEach(command -> refusal.add(command, reason));
        return refusal;
    }

    /// Nobody is blamed yet.
    static Refusal begin() {
        return new Refusal();
    }

    void add(PushCommand command, String reason) {
        reasons.putIfAbsent(command.ref(), reason);
    }

    boolean isEmpty() {
        return reasons.isEmpty();
    }

    /// With the reasons of further refs as differences.
    PushJudgement.Refused because(Optional<String> hint) {
        var further = reasons.values().stream().distinct().skip(1).toList();
        return with(Reasons.lines(further), hint, List.of());
    }

    PushJudgement.Refused with(List<String> lines, Optional<String> hint, List<RepositoryState> incomplete) {
        var words = Stream.concat(lines.stream(), hint.stream()).toList();
        return new PushJudgement.Refused(new PushVerdict.Refused(reasons, words), incomplete);
    }
}
