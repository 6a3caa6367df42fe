package dev.grapnel.purgatory.intake;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.push.Push;
import dev.grapnel.git.push.PushCase;
import dev.grapnel.git.push.PushCommand;
import dev.grapnel.git.push.PushVerdict;
import dev.grapnel.git.push.ReceivedPush;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.Pins;
import dev.grapnel.purgatory.ReleasePath;
import dev.grapnel.purgatory.push.PushJudge;
import dev.grapnel.purgatory.push.PushJudgement;
import dev.grapnel.purgatory.push.PushJudgement.Allowed;
import dev.grapnel.purgatory.push.PushJudgement.Backing;
import dev.grapnel.purgatory.push.PushJudgement.BranchesAndTags;
import dev.grapnel.purgatory.push.PushJudgement.ProposalPush;
import dev.grapnel.purgatory.push.Reasons;
import dev.grapnel.purgatory.push.Remote;
import dev.grapnel.purgatory.push.SecondVerdict;
import dev.grapnel.purgatory.push.Stage;
import dev.grapnel.purgatory.reconcile.Incoming;
import dev.grapnel.purgatory.reconcile.Patience;
import dev.grapnel.purgatory.reconcile.Report;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One push, judged before its pack is read and again when it is here (service 6.7).
final class SignedCase implements PushCase {
    private static final Logger LOG = LoggerFactory.getLogger(SignedCase.class);

    private final Push push;
    private final SignedPushes.Parts parts;
    private final Remote remote;
    private final List<Pins.Pin> pins = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> elsewhere = new ArrayList<>();
    private @Nullable Allowed first;
    private @Nullable UnsignedPart unsigned;

    SignedCase(Push push, SignedPushes.Parts parts) {
        this.push = push;
        this.parts = parts;
        this.remote = parts.remotes().apply(push);
    }

    @Override
    public PushVerdict judge() throws IOException {
        var judgement = parts.scenes()
                .judge(remote, Optional.empty(), scene -> PushJudge.judge(push.commands(), scene, Stage.BEFORE_PACK));
        return switch (judgement) {
            case PushJudgement.Refused refused -> refuse(refused.verdict());
            case Allowed allowed -> begin(allowed);
        };
    }

    /// What nobody has signed is accounted for before it comes.
    private PushVerdict begin(Allowed allowed) throws IOException {
        first = allowed;
        var part = UnsignedPart.of(push, allowed, parts.unsigned());
        unsigned = part;
        var refusal = part.reserve();
        if (refusal.isPresent()) {
            return refuse(refused(proposalRefs(), refusal.get()));
        }
        allowed.chosen().ifPresent(this::rely);
        return new PushVerdict.Allowed();
    }

    private Set<String> proposalRefs() {
        return push.commands().stream()
                .map(PushCommand::ref)
                .filter(ref -> ref.startsWith(RefName.PROPOSALS))
                .collect(Collectors.toSet());
    }

    private static PushVerdict.Refused refused(Set<String> refs, String reason) {
        return new PushVerdict.Refused(refs, reason, List.of());
    }

    @Override
    public Optional<PushVerdict> findObstacle() throws IOException {
        var judgement = parts.scenes()
                .judge(remote, Optional.empty(), scene -> PushJudge.judge(push.commands(), scene, Stage.BEFORE_PACK));
        return judgement instanceof PushJudgement.Refused refused
                ? Optional.of(refuse(refused.verdict()))
                : Optional.empty();
    }

    @Override
    public InputStream watching(InputStream pack) {
        return part().watching(pack);
    }

    private UnsignedPart part() {
        return Objects.requireNonNull(unsigned, "not judged yet");
    }

    private PushVerdict refuse(PushVerdict.Refused verdict) {
        LOG.warn(
                "push.refused identifier={} owner={} reason={}",
                push.repository().identifier(),
                push.repository().owner(),
                verdict.reason());
        return verdict;
    }

    /// What the push relies on must not expire while it runs.
    private void rely(RepositoryState state) {
        parts.terms().relied(state).forEach(id -> pins.add(parts.pins().pin(id)));
        parts.terms().extend(state);
    }

    @Override
    public PushVerdict settle(ReceivedPush received) throws IOException {
        var identifier = push.repository().identifier();
        try {
            var verdict = parts.locks().holding(List.of(identifier), () -> {
                try {
                    return settleHolding(received);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            awaitElsewhere();
            return verdict;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// What the push brought for other names is served there before it is answered, unless that takes too long.
    private void awaitElsewhere() {
        CompletableFuture.allOf(elsewhere.toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, parts.patience().toNanos(), TimeUnit.NANOSECONDS)
                .join();
    }

    private PushVerdict settleHolding(ReceivedPush received) throws IOException {
        var before = first;
        if (before == null) {
            throw new IllegalStateException("settled without having been judged");
        }
        var second = parts.scenes()
                .judge(
                        remote,
                        Optional.of(received.quarantine()),
                        scene -> PushJudge.judge(push.commands(), scene, Stage.AFTER_PACK));
        return switch (SecondVerdict.of(before, second, push.commands(), remote)) {
            case PushJudgement.Refused refused -> refuse(refused.verdict());
            case Allowed allowed -> carryOut(allowed, received);
        };
    }

    private PushVerdict carryOut(Allowed allowed, ReceivedPush received) throws IOException {
        boolean isRealising = allowed.branchesAndTags() instanceof BranchesAndTags.Realising;
        if (!isRealising && allowed.proposals().isEmpty()) {
            mend(received);
            return new PushVerdict.Allowed();
        }
        if (part().lacksPlace(allowed)) {
            return refuse(refused(proposalRefs(), Reasons.CHANGED));
        }
        var signed = signed(allowed);
        var failure = isRealising || !signed.isEmpty()
                ? realise(allowed, isRealising, signed, received)
                : Optional.<PushVerdict.Refused>empty();
        if (failure.isPresent()) {
            return refuse(failure.get());
        }
        var excess = part().keep(received.quarantine());
        if (excess.isPresent()) {
            return refuse(refused(proposalRefs(), excess.get()));
        }
        if (part().isKept()) {
            useUploads();
        }
        return new PushVerdict.Allowed();
    }

    /// Does what is signed.
    ///
    /// @return why that could not be done
    private Optional<PushVerdict.Refused> realise(
            Allowed allowed, boolean isRealising, Set<EventId> signed, ReceivedPush received) throws IOException {
        var incoming = new Incoming(
                received.repository(),
                received.quarantine(),
                allowed.proposals().isEmpty(),
                isRealising,
                received::complete,
                signed);
        var report = reconcile(incoming);
        goOn(report.further());
        var failure = report.unaligned().get(push.repository().owner());
        if (isRealising && failure != null) {
            return Optional.of(failed(failure));
        }
        var refs = received.repository().refs().current();
        return !report.released().isEmpty() || isDone(allowed, refs)
                ? findUnserved(signed, report)
                        .or(() -> findUnwritten(report, refs))
                        .map(this::failed)
                : Optional.of(SecondVerdict.overtaken(push.commands(), remote).verdict());
    }

    /// An event that waits and whose commit is neither taken nor kept: whoever reads `ok` would believe it is.
    private Optional<String> findUnserved(Set<EventId> signed, Report report) {
        return parts.scenes()
                .store()
                .read(view -> signed.stream()
                        .filter(id -> part().isLost(id, view))
                        .findFirst()
                        .map(id -> report.failures().values().stream()
                                .sorted()
                                .findFirst()
                                .orElse("event " + id + " could not be served: what it names must be a commit")));
    }

    /// A proposal may be served because another repository has its ref, and this one could not be written.
    private Optional<String> findUnwritten(Report report, Refs refs) {
        var failure = report.failures().get(push.repository().owner());
        boolean isMissing = push.commands().stream()
                .filter(command -> command.ref().startsWith(RefName.PROPOSALS))
                .anyMatch(command -> isServed(command)
                        && command.name()
                                .find()
                                .filter(name -> !refs.target(name).equals(command.after()))
                                .isPresent());
        return isMissing ? Optional.ofNullable(failure) : Optional.empty();
    }

    private boolean isServed(PushCommand command) {
        return EventId.parse(command.ref().substring(RefName.PROPOSALS.length()))
                .find()
                .filter(id -> parts.scenes().store().read(view -> view.isServed(id)))
                .isPresent();
    }

    /// What was kept may be what a state or a proposal waits for (R18). That it is kept stays true, whatever comes
    /// of this.
    private void useUploads() {
        var identifier = push.repository().identifier();
        var pool = parts.scenes().pools().of(identifier);
        if (!pool.states().isEmpty() || !pool.proposals().isEmpty()) {
            lookAgain();
        }
        part().concerned().stream().filter(other -> !other.equals(identifier)).forEach(this::later);
    }

    /// What this push has brought to light is served before it is answered (P-531), as far as it is here; other
    /// names have locks of their own.
    private void goOn(Set<Identifier> further) {
        var own = push.repository().identifier();
        if (further.contains(own)) {
            lookAgain();
        }
        further.stream().filter(other -> !other.equals(own)).forEach(this::later);
    }

    /// Whatever becomes of it: what was pushed is here.
    private void lookAgain() {
        var identifier = push.repository().identifier();
        try {
            parts.reconciler()
                    .reconcileHolding(identifier, ReleasePath.PUSH, Optional.empty(), patience())
                    .further()
                    .forEach(this::later);
        } catch (IOException e) {
            LOG.warn("reconcile.error identifier={} step=promote error={}", identifier, e.toString());
            later(identifier);
        }
    }

    private void later(Identifier identifier) {
        elsewhere.add(parts.attention().attend(identifier, ReleasePath.PUSH));
    }

    /// Events come and go without asking anybody who holds the identifier: a state that was taken back since the
    /// verdict has moved nothing. Refs may be elsewhere only if it is served and a newer one governs, or if that
    /// one was completed by the same pack and took its place.
    private boolean isDone(Allowed allowed, Refs refs) {
        if (allowed.chosen().isEmpty()) {
            return true;
        }
        boolean isThere = push.commands().stream()
                .allMatch(command -> command.name()
                        .find()
                        .filter(name -> !(name.isBranch() || name.isTag())
                                || refs.target(name).equals(command.after()))
                        .isPresent());
        var id = allowed.chosen().get().event().id();
        return isThere || parts.scenes().store().read(view -> view.isServed(id));
    }

    /// What could not be written down is tried again: refs may have moved already (service 7.4).
    private Report reconcile(Incoming incoming) throws IOException {
        var identifier = push.repository().identifier();
        try {
            return parts.reconciler().reconcileHolding(identifier, ReleasePath.PUSH, Optional.of(incoming), patience());
        } catch (IOException e) {
            parts.attention().attendLater(identifier, ReleasePath.PUSH);
            throw e;
        }
    }

    private static Set<EventId> signed(Allowed allowed) {
        return allowed.proposals().stream()
                .filter(proposal -> proposal.backing() == Backing.EVENT)
                .map(ProposalPush::id)
                .collect(Collectors.toSet());
    }

    /// Refs are right already. If the objects they name were lost, here they are again (P-316).
    private void mend(ReceivedPush received) throws IOException {
        try (var reader = received.repository().newReader()) {
            for (var command : push.commands()) {
                if (!command.isDeletion() && !reader.has(GitIds.of(command.after()))) {
                    received.complete();
                    received.quarantine().moveIn();
                    return;
                }
            }
        }
    }

    private PushVerdict.Refused failed(String reason) {
        var refs = push.commands().stream().map(PushCommand::ref).collect(Collectors.toSet());
        return new PushVerdict.Refused(refs, reason, List.of());
    }

    private Patience patience() {
        long end = parts.nanoTime().getAsLong() + parts.patience().toNanos();
        return () -> parts.nanoTime().getAsLong() - end > 0;
    }

    @Override
    public void close() {
        if (unsigned != null) {
            unsigned.close();
        }
        pins.forEach(Pins.Pin::close);
    }
}
