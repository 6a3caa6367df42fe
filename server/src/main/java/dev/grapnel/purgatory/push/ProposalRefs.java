package dev.grapnel.purgatory.push;

import dev.grapnel.git.push.PushCommand;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.purgatory.push.Proposals.Finding;
import dev.grapnel.purgatory.push.PushJudgement.Backing;
import dev.grapnel.purgatory.push.PushJudgement.ProposalPush;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Judges refs of proposals (service 6.4, purgatory R8 to R12). Nobody's maintainers are asked.
final class ProposalRefs {
    private final Proposals proposals;
    private final Hints hints;
    private final List<ProposalPush> accepted = new ArrayList<>();
    private final Refusal refusal = Refusal.begin();
    private Optional<String> hint = Optional.empty();

    private ProposalRefs(Proposals proposals, Hints hints) {
        this.proposals = proposals;
        this.hints = hints;
    }

    static ProposalRefs judge(List<PushCommand> commands, Proposals proposals, Hints hints) {
        var refs = new ProposalRefs(proposals, hints);
        commands.forEach(refs::judge);
        return refs;
    }

    List<ProposalPush> accepted() {
        return accepted;
    }

    Optional<PushJudgement> findRefusal() {
        return refusal.isEmpty() ? Optional.empty() : Optional.of(refusal.because(hint));
    }

    private void judge(PushCommand command) {
        var id = EventId.parse(command.ref().substring(RefName.PROPOSALS.length()))
                .find();
        if (id.isEmpty()) {
            refusal.add(command, Reasons.badId(command.ref()));
        } else if (command.isDeletion()) {
            refusal.add(command, Reasons.DELETES_PROPOSAL);
        } else {
            judge(command, id.get());
        }
    }

    private void judge(PushCommand command, EventId id) {
        switch (proposals.find(id)) {
            case Finding.Proposed(var commit) -> judgeSigned(command, id, commit);
            case Finding.OtherKind() -> refusal.add(command, Reasons.otherKind(id));
            case Finding.Deleted() -> refusal.add(command, Reasons.deleted(id));
            case Finding.Placeholder(var commit) -> {
                if (commit.equals(command.after())) {
                    accept(command, id, Backing.PLACEHOLDER);
                } else {
                    refusal.add(command, Reasons.otherPlaceholder(id));
                }
            }
            case Finding.Unknown() -> accept(command, id, Backing.UNSIGNED);
        }
    }

    private void judgeSigned(PushCommand command, EventId id, String commit) {
        if (commit.equals(command.after().toString())) {
            accept(command, id, Backing.EVENT);
        } else {
            refusal.add(command, Reasons.otherCommit(id, commit, command.after()));
            hint = hint.or(() -> Optional.of(hints.proposal(commit, command.ref())));
        }
    }

    private void accept(PushCommand command, EventId id, Backing backing) {
        accepted.add(new ProposalPush(id, command.after(), backing));
    }
}
