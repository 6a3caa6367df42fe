package dev.grapnel.purgatory.push;

import dev.grapnel.git.push.PushCommand;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.purgatory.push.PushJudgement.BranchesAndTags;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Judges a push as a whole (service 6.2 to 6.6): which names it uses, whether the repository takes pushes,
/// then its proposals, then its branches and tags. The first that refuses decides.
public final class PushJudge {
    private final List<StateCommand> branchesAndTags = new ArrayList<>();
    private final List<PushCommand> proposals = new ArrayList<>();
    private final List<PushCommand> inside = new ArrayList<>();
    private final List<PushCommand> outside = new ArrayList<>();
    private final List<PushCommand> commands;
    private final PushScene scene;
    private final Stage stage;
    private final Hints hints;

    private PushJudge(List<PushCommand> commands, PushScene scene, Stage stage) {
        this.commands = commands;
        this.scene = scene;
        this.stage = stage;
        this.hints = new Hints(scene.remote());
        commands.forEach(this::sortIn);
    }

    /// Whether these commands may be carried out.
    ///
    /// @param stage at [Stage#AFTER_PACK] a match is never provisional
    public static PushJudgement judge(List<PushCommand> commands, PushScene scene, Stage stage) {
        return new PushJudge(commands, scene, stage).judge();
    }

    private void sortIn(PushCommand command) {
        if (command.ref().startsWith(RefName.PROPOSALS)) {
            proposals.add(command);
            inside.add(command);
        } else if (command.name() instanceof Parsed.Valid<RefName>(var ref) && (ref.isBranch() || ref.isTag())) {
            branchesAndTags.add(new StateCommand(ref, command));
            inside.add(command);
        } else {
            outside.add(command);
        }
    }

    private PushJudgement judge() {
        if (commands.isEmpty()) {
            return new PushJudgement.Allowed(new BranchesAndTags.None(), List.of(), List.of()); // nobody to refuse
        }
        boolean hasPack = commands.stream().anyMatch(command -> !command.isDeletion());
        var states = new StateRefs(branchesAndTags, hasPack, scene, stage);
        return findOutside()
                .or(this::findUnfitStanding)
                .or(states::findNoMaintainers)
                .orElseGet(() -> judgeBoth(states));
    }

    private PushJudgement judgeBoth(StateRefs states) {
        var proposed = ProposalRefs.judge(proposals, scene.proposals(), hints);
        return proposed.findRefusal().orElseGet(() -> switch (states.judge()) {
            case PushJudgement.Refused refused -> refused;
            case PushJudgement.Allowed(var basis, var _, var incomplete) ->
                new PushJudgement.Allowed(basis, proposed.accepted(), incomplete);
        });
    }

    private Optional<PushJudgement> findOutside() {
        if (outside.isEmpty()) {
            return Optional.empty();
        }
        var refusal = Refusal.begin();
        outside.forEach(command -> refusal.add(command, Reasons.outside(command.ref())));
        return Optional.of(refusal.because(
                Optional.of(inside).filter(refs -> !refs.isEmpty()).map(hints::push)));
    }

    private Optional<PushJudgement> findUnfitStanding() {
        return Reasons.standing(scene.standing(), scene.remote().repository().owner())
                .map(reason -> Refusal.of(commands, reason).because(Optional.empty()));
    }
}
