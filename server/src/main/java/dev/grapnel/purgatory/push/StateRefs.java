package dev.grapnel.purgatory.push;

import dev.grapnel.git.push.PushCommand;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.push.PushJudgement.BranchesAndTags;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Judges branches and tags (service 6.5 and 6.6, purgatory 3.2).
final class StateRefs {
    private final List<StateCommand> commands;
    private final List<PushCommand> changing;
    private final boolean hasPack;
    private final PushScene scene;
    private final Stage stage;
    private final Hints hints;
    private final List<RepositoryState> incomplete = new ArrayList<>();
    private @Nullable List<Difference> differences;

    /// @param hasPack whether the push brings objects
    StateRefs(List<StateCommand> commands, boolean hasPack, PushScene scene, Stage stage) {
        this.commands = commands;
        this.changing = commands.stream()
                .filter(command -> !command.isVoid(scene.refs()))
                .map(StateCommand::command)
                .toList();
        this.hasPack = hasPack;
        this.scene = scene;
        this.stage = stage;
        this.hints = new Hints(scene.remote());
    }

    /// Service 6.3: without maintainers nobody can have signed anything. Asked before proposals are looked at.
    Optional<PushJudgement> findNoMaintainers() {
        var maintainers = scene.governing().maintainers();
        if (changing.isEmpty() || !maintainers.isEmpty()) {
            return Optional.empty();
        }
        var why = maintainers.failure().orElse("no announcement");
        return Optional.of(Refusal.of(changing, Reasons.noMaintainers(why)).because(Optional.of(hints.roles())));
    }

    /// Only allowed or refused as far as these refs go.
    PushJudgement judge() {
        if (commands.isEmpty()) {
            return allowed(new BranchesAndTags.None());
        }
        if (changing.isEmpty()) {
            return allowed(new BranchesAndTags.NoChange());
        }
        return findStale()
                .orElseGet(() -> findMatch().<PushJudgement>map(this::allowed).orElseGet(this::noMatch));
    }

    private PushJudgement.Allowed allowed(BranchesAndTags basis) {
        return new PushJudgement.Allowed(basis, List.of(), incomplete);
    }

    private Optional<PushJudgement> findStale() {
        var refusal = Refusal.begin();
        for (var command : commands) {
            if (!command.isVoid(scene.refs()) && !command.isUpToDate(scene.refs())) {
                var current = scene.refs().target(command.ref());
                refusal.add(command.command(), Reasons.fetchFirst(command.ref(), current));
            }
        }
        return refusal.isEmpty() ? Optional.empty() : Optional.of(refusal.because(Optional.of(hints.fetch())));
    }

    /// The newest that fits. What is missing may come with the pack, and only with it.
    private Optional<BranchesAndTags> findMatch() {
        for (var state : scene.governing().authorising()) {
            var fit = fit(state);
            if (fit.isContradictedByPush()) {
                continue;
            }
            boolean isNever = fit.isNever();
            if (!isNever && fit.isComplete()) {
                return Optional.of(new BranchesAndTags.Realising(state, false));
            }
            incomplete.add(state);
            if (!isNever && stage == Stage.BEFORE_PACK && hasPack) {
                return Optional.of(new BranchesAndTags.Realising(state, true));
            }
        }
        return Optional.empty();
    }

    private Fit fit(RepositoryState state) {
        return new Fit(state, commands, scene.objects().seenBy(state.author()), stage);
    }

    private PushJudgement noMatch() {
        var governing = scene.governing();
        var held = governing.held();
        var ofMembers = governing.heldByMembers();
        if (held.isEmpty()) {
            return refuse(Reasons.NO_STATES, helping());
        }
        if (ofMembers.isEmpty()) {
            var invited = held.stream()
                    .map(RepositoryState::author)
                    .filter(this::isInvited)
                    .findFirst();
            boolean onlyInvited = held.stream().map(RepositoryState::author).allMatch(this::isInvited);
            return refuse(Reasons.noneAuthorised(held.size(), invited), onlyInvited ? hints.roles() : helping());
        }
        return findSuperseding(ofMembers)
                .map(state -> refuse(Reasons.superseded(state), hints.fetch()))
                .orElseGet(() -> refuseMismatch(ofMembers.size()));
    }

    private boolean isInvited(PublicKey person) {
        return scene.governing().maintainers().findInviter(person).isPresent();
    }

    private Optional<RepositoryState> findSuperseding(List<RepositoryState> ofMembers) {
        var governing = scene.governing();
        return governing
                .inForce()
                .filter(state -> governing.candidates().isEmpty()
                        && ofMembers.stream().anyMatch(older -> state.version().isNewerThan(older.version())));
    }

    /// Those refs are to blame that differ; if it is only others that are missing, all that were pushed.
    private PushJudgement refuseMismatch(int count) {
        var differences = differences();
        var differing = differences.stream().map(Difference::ref).collect(Collectors.toSet());
        var guilty = commands.stream()
                .filter(command -> differing.contains(command.ref()))
                .map(StateCommand::command)
                .toList();
        return refuse(guilty.isEmpty() ? changing : guilty, Reasons.noMatch(count, differences), helping());
    }

    private PushJudgement refuse(String reason, String hint) {
        return refuse(changing, reason, hint);
    }

    private PushJudgement refuse(List<PushCommand> blamed, String reason, String hint) {
        var lines = new ArrayList<String>();
        differences().forEach(difference -> lines.add(difference.text()));
        var refusal = Refusal.of(blamed, reason);
        return refusal.with(withEmptyExplained(Reasons.lines(lines)), Optional.of(hint), incomplete);
    }

    private List<String> withEmptyExplained(List<String> lines) {
        var all = new ArrayList<String>();
        scene.governing()
                .explained()
                .filter(RepositoryState::isEmpty)
                .ifPresent(state -> all.add(Reasons.empty(state)));
        all.addAll(lines);
        return all;
    }

    /// Found out once: every object that is declared is looked for.
    private List<Difference> differences() {
        var known = differences;
        if (known == null) {
            known = scene.governing().explained().map(state -> fit(state).all()).orElse(List.of());
            differences = known;
        }
        return known;
    }

    /// More refs if only those are missing, else a state that says what was pushed.
    private String helping() {
        return scene.governing()
                .explained()
                .map(this::fit)
                .filter(fit -> !fit.isContradicted())
                .map(fit -> hints.complete(
                        fit.state(),
                        fit.missing().stream().map(Difference::ref).toList(),
                        commands.stream().map(StateCommand::command).toList()))
                .orElseGet(() -> hints.sign(changing));
    }
}
