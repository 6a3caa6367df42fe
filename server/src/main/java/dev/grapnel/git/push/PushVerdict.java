package dev.grapnel.git.push;

import java.util.List;
import java.util.Set;

/// Whether a push may happen. It is judged as a whole.
public sealed interface PushVerdict {
    /// It may, and if this was the last word, it has.
    record Allowed() implements PushVerdict {}

    /// It may not.
    ///
    /// @param refs those to blame; the others merely came along
    /// @param reason one line for each of them
    /// @param words further lines for the person who pushes: differences, and a hint what to do
    record Refused(Set<String> refs, String reason, List<String> words) implements PushVerdict {
        public Refused {
            refs = Set.copyOf(refs);
            words = List.copyOf(words);
        }
    }

    /// Refuses all commands for one reason.
    static Refused refusedWhole(List<PushCommand> commands, String reason) {
        var refs = commands.stream().map(PushCommand::ref).distinct().toList();
        return new Refused(Set.copyOf(refs), reason, List.of());
    }
}
