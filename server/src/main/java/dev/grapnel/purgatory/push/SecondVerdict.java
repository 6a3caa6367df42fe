package dev.grapnel.purgatory.push;

import dev.grapnel.git.push.PushCommand;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.push.PushJudgement.Allowed;
import dev.grapnel.purgatory.push.PushJudgement.Backing;
import dev.grapnel.purgatory.push.PushJudgement.BranchesAndTags;
import dev.grapnel.purgatory.push.PushJudgement.Refused;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Whether a push that was allowed before its pack was read still is (service 6.7.4, purgatory P-318).
///
/// While data flows, events come and go and refs move. Whatever changed, the client is asked to try again
/// rather than given something it did not push for. Three changes do no harm: everything is void by now; the
/// event of a proposal came, with the same commit; a match that hoped for objects in vain gives way to an
/// older one that has all.
public final class SecondVerdict {
    private final Allowed first;
    private final PushJudgement second;
    private final List<PushCommand> commands;
    private final Hints hints;

    private SecondVerdict(Allowed first, PushJudgement second, List<PushCommand> commands, Hints hints) {
        this.first = first;
        this.second = second;
        this.commands = commands;
        this.hints = hints;
    }

    /// What is to be done: the second judgement if it agrees, else a refusal.
    ///
    /// @param first before the pack
    /// @param second of the same commands, after it
    public static PushJudgement of(Allowed first, PushJudgement second, List<PushCommand> commands, Remote remote) {
        return new SecondVerdict(first, second, commands, new Hints(remote)).decide();
    }

    /// What was agreed upon has gone before it could be done.
    public static Refused overtaken(List<PushCommand> commands, Remote remote) {
        return Refusal.of(commands, Reasons.CHANGED).because(Optional.of(new Hints(remote).push(commands)));
    }

    private PushJudgement decide() {
        return switch (second) {
            case Refused refused -> isHopeDisappointed() ? refused : changed(refused);
            case Allowed allowed -> {
                var weaker = weakerBy(allowed);
                if (!weaker.isEmpty()) {
                    yield changed(weaker);
                }
                yield isSame(allowed) ? allowed : changed(branchesAndTags());
            }
        };
    }

    private boolean isSame(Allowed now) {
        return switch (now.branchesAndTags()) {
            case BranchesAndTags.None(), BranchesAndTags.NoChange() -> true;
            case BranchesAndTags.Realising(var state, var _) ->
                first.chosen().filter(state::equals).isPresent() || isGivingWayTo(state);
        };
    }

    /// Whether the first choice is still there and still lacks objects.
    private boolean isHopeDisappointed() {
        return first.isProvisional()
                && first.chosen().filter(second.incomplete()::contains).isPresent();
    }

    private boolean isGivingWayTo(RepositoryState other) {
        return isHopeDisappointed()
                && first.chosen()
                        .filter(state -> state.version().isNewerThan(other.version()))
                        .isPresent();
    }

    /// Proposals with less behind them than before: nobody has reserved a place for those.
    private List<PushCommand> weakerBy(Allowed now) {
        var before = backings(first);
        var after = backings(now);
        return commands.stream()
                .filter(command -> isProposal(command) && isWeaker(after, before, command.ref()))
                .toList();
    }

    private static boolean isWeaker(Map<String, Backing> after, Map<String, Backing> before, String ref) {
        return after.getOrDefault(ref, Backing.UNSIGNED).compareTo(before.getOrDefault(ref, Backing.UNSIGNED)) < 0;
    }

    private static Map<String, Backing> backings(Allowed allowed) {
        var backings = new TreeMap<String, Backing>();
        for (var proposal : allowed.proposals()) {
            backings.put(RefName.PROPOSALS + proposal.id(), proposal.backing());
        }
        return backings;
    }

    private static boolean isProposal(PushCommand command) {
        return command.ref().startsWith(RefName.PROPOSALS);
    }

    private List<PushCommand> branchesAndTags() {
        return commands.stream().filter(command -> !isProposal(command)).toList();
    }

    private Refused changed(List<PushCommand> blamed) {
        return Refusal.of(blamed, Reasons.CHANGED).because(Optional.of(hints.push(commands)));
    }

    private Refused changed(Refused refused) {
        var verdict = refused.verdict();
        var blamed = commands.stream()
                .filter(command -> verdict.refs().contains(command.ref()))
                .toList();
        return Refusal.of(blamed, Reasons.CHANGED)
                .with(List.of(Reasons.byNow(verdict.reason())), Optional.of(hints.push(commands)), List.of());
    }
}
