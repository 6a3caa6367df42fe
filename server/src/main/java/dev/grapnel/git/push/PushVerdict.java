package dev.grapnel.git.push;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Whether a push may happen. It is judged as a whole.
public sealed interface PushVerdict {
    /// It may, and if this was the last word, it has.
    record Allowed() implements PushVerdict {}

    /// It may not.
    ///
    /// @param reasons one line for each ref that is to blame, the most important first; the others merely came
    ///         along
    /// @param words further lines for the person who pushes: differences, and a hint what to do
    record Refused(Map<String, String> reasons, List<String> words) implements PushVerdict {
        public Refused {
            if (reasons.isEmpty()) {
                throw new IllegalArgumentException("somebody is to blame");
            }
            reasons = Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
            words = List.copyOf(words);
        }

        /// One reason for several refs.
        public Refused(Set<String> refs, String reason, List<String> words) {
            this(refs.stream().collect(Collectors.toMap(ref -> ref, _ -> reason)), words);
        }

        /// Those to blame.
        public Set<String> refs() {
            return reasons.keySet();
        }

        /// The first reason of all.
        public String reason() {
            return reasons.values().iterator().next();
        }
    }

    /// Refuses all commands for one reason.
    static Refused refusedWhole(List<PushCommand> commands, String reason) {
        var refs = commands.stream().map(PushCommand::ref).distinct().toList();
        return new Refused(Set.copyOf(refs), reason, List.of());
    }
}
