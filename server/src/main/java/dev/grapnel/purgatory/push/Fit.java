package dev.grapnel.purgatory.push;

import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How a push compares with one state (service 6.5.4, purgatory P-313). A push fits exactly when it contradicts
/// nothing that is declared and completes its objects: the refs that are not pushed are made by aligning.
///
/// That something really changes need not be asked: a command that is not void and contradicts nothing
/// creates or moves what is declared, or deletes what is not.
record Fit(RepositoryState state, List<StateCommand> commands, Objects objects, Stage stage) {
    /// What no pack can heal: of the push, or of the state itself.
    List<Difference> contradictions() {
        return Stream.concat(ofPush(), ofState()).toList();
    }

    boolean isContradicted() {
        return isContradictedByPush() || isNever();
    }

    boolean isContradictedByPush() {
        return ofPush().findAny().isPresent();
    }

    /// Whether the state can never become true, as far as is known by now.
    boolean isNever() {
        return ofState().findAny().isPresent();
    }

    /// What is declared, not here, and not pushed either.
    List<Difference> missing() {
        return missingRefs().map(this::missing).toList();
    }

    boolean isComplete() {
        return missingRefs().findAny().isEmpty();
    }

    /// Everything that is wrong, the worst first.
    List<Difference> all() {
        var all = new ArrayList<>(contradictions());
        var told = all.stream().map(Difference::ref).collect(Collectors.toSet());
        missing().stream()
                .filter(difference -> !told.contains(difference.ref()))
                .forEach(all::add);
        return all;
    }

    private Stream<Difference> ofPush() {
        return commands.stream().flatMap(command -> find(command).stream());
    }

    private Optional<Difference> find(StateCommand command) {
        var ref = command.ref();
        boolean isSetAside = state.setAside().contains(ref);
        if (command.isDeletion()) {
            return isSetAside || state.declares(ref)
                    ? Optional.of(new Difference.DeletesDeclared(ref))
                    : Optional.empty();
        }
        if (!state.declares(ref)) {
            return Optional.of(new Difference.NotDeclared(ref));
        }
        return command.after().equals(state.refs().get(ref))
                ? Optional.empty()
                : Optional.of(new Difference.OtherObject(ref, command.after(), declared(ref)));
    }

    private Stream<Difference> ofState() {
        var pushed = pushed();
        var unusable = state.unusable().keySet().stream()
                .filter(ref -> !pushed.contains(ref))
                .map(this::missing);
        var noCommits = state.refs().entrySet().stream()
                .filter(entry -> entry.getKey().isBranch() && objects.isOtherThanCommit(entry.getValue()))
                .<Difference>map(entry -> new Difference.NoCommit(entry.getKey(), entry.getValue()));
        return Stream.concat(unusable, noCommits);
    }

    /// Before the pack is read, what is pushed will come with it. Afterwards everything must be here.
    private Stream<RefName> missingRefs() {
        var pushed = switch (stage) {
            case BEFORE_PACK -> pushed();
            case AFTER_PACK -> Set.<RefName>of();
        };
        return state.refs().entrySet().stream()
                .filter(entry -> !pushed.contains(entry.getKey()) && !objects.isHere(entry.getValue()))
                .map(entry -> entry.getKey());
    }

    private Set<RefName> pushed() {
        return commands.stream().map(StateCommand::ref).collect(Collectors.toSet());
    }

    private Difference missing(RefName ref) {
        return new Difference.Missing(ref, declared(ref));
    }

    private String declared(RefName ref) {
        var oid = state.refs().get(ref);
        return oid == null ? state.unusable().getOrDefault(ref, "") : oid.toString();
    }
}
