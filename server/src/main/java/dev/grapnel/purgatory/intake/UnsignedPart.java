package dev.grapnel.purgatory.intake;

import dev.grapnel.git.WatchedInput;
import dev.grapnel.git.push.Push;
import dev.grapnel.git.push.PushCase;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.IdentifierLocks;
import dev.grapnel.purgatory.Pins;
import dev.grapnel.purgatory.StagingOutcome;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.push.PushJudgement.Allowed;
import dev.grapnel.purgatory.push.PushJudgement.Backing;
import dev.grapnel.purgatory.push.PushJudgement.BranchesAndTags;
import dev.grapnel.purgatory.push.PushJudgement.ProposalPush;
import dev.grapnel.purgatory.push.Reasons;
import dev.grapnel.purgatory.reconcile.Situation;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.AreaName;
import dev.grapnel.store.row.Upload;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// That part of one push which nobody has signed, or which no repository can take yet: rows that say what comes,
/// durable before it does, and an area that it goes to (P-240). Used by one thread, who closes it.
final class UnsignedPart implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UnsignedPart.class);

    private final Push push;
    private final Parts parts;
    private final Map<EventId, Oid> commits;
    private final Set<EventId> unknown;
    private final long bytesMax;
    private final List<Pins.Pin> pins = new ArrayList<>();
    private final AreaName area;
    private final Upload upload;
    private Stage stage = Stage.PLANNED;

    /// What it works with.
    ///
    /// @param expiry how long an upload waits for its event
    /// @param counted as whom an address is counted; empty for those without limits of their own
    record Parts(
            EventStore store,
            Pools pools,
            Uploads uploads,
            IdentifierLocks locks,
            Pins pins,
            Duration expiry,
            Function<InetAddress, String> counted) {}

    private enum Stage {
        PLANNED,
        RESERVED,
        OVER_QUOTA,
        KEPT
    }

    private UnsignedPart(Push push, Parts parts, Map<EventId, Oid> commits, Set<EventId> unknown, long bytesMax) {
        this.push = push;
        this.parts = parts;
        this.commits = new TreeMap<>(commits);
        this.unknown = new TreeSet<>(unknown);
        this.bytesMax = bytesMax;
        this.area = new AreaName(parts.uploads().staging().newName());
        this.upload = new Upload(
                push.repository(),
                Upload.Endpoint.REPOSITORY,
                area,
                true,
                parts.counted().apply(push.client().address()));
    }

    /// What of an allowed push needs a place of its own.
    static UnsignedPart of(Push push, Allowed allowed, Parts parts) {
        var homeless = findHomeless(push, allowed, parts);
        var unknown = homeless.stream()
                .filter(proposal -> proposal.backing() != Backing.EVENT)
                .map(ProposalPush::id)
                .collect(Collectors.toSet());
        var commits = homeless.stream().collect(Collectors.toMap(ProposalPush::id, ProposalPush::commit));
        return new UnsignedPart(push, parts, commits, unknown, bytesMax(allowed, parts.uploads()));
    }

    private static long bytesMax(Allowed allowed, Uploads uploads) {
        boolean isUnmatched = allowed.branchesAndTags() instanceof BranchesAndTags.None
                && allowed.proposals().stream().noneMatch(proposal -> proposal.backing() == Backing.EVENT);
        return isUnmatched ? uploads.limits().pushBytes() : Long.MAX_VALUE;
    }

    private static List<ProposalPush> findHomeless(Push push, Allowed allowed, Parts parts) {
        return allowed.proposals().isEmpty()
                ? List.of()
                : parts.store()
                        .read(view -> allowed.proposals().stream()
                                .filter(proposal -> isHomeless(proposal, push.repository(), view, parts.pools()))
                                .toList());
    }

    private static boolean isHomeless(
            ProposalPush proposal, RepositoryAddress repository, StoreView view, Pools pools) {
        return switch (proposal.backing()) {
            case UNSIGNED -> true;
            case PLACEHOLDER ->
                UploadRows.findPlaceholder(proposal.id(), view)
                        .filter(row -> UploadRows.hasComplete(row.pushedTo(), repository))
                        .isEmpty();
            case EVENT ->
                UploadRows.findHeld(proposal.id(), view)
                        .filter(row -> !UploadRows.hasComplete(row.pushedTo(), repository)
                                && !Situation.isServable(row, repository.identifier(), view, pools))
                        .isPresent();
        };
    }

    /// Whether something needs a place by now for which nobody asked in time.
    boolean lacksPlace(Allowed allowed) {
        return findHomeless(push, allowed, parts).stream().anyMatch(proposal -> !commits.containsKey(proposal.id()));
    }

    /// Whether an event waits, and nothing of this push is kept for it.
    boolean isLost(EventId id, StoreView view) {
        return !commits.containsKey(id)
                && UploadRows.findHeld(id, view)
                        .filter(row -> !UploadRows.hasComplete(row.pushedTo(), push.repository()))
                        .isPresent();
    }

    /// Makes room and says durably what comes.
    ///
    /// @return why it may not
    Optional<String> reserve() throws IOException {
        if (commits.isEmpty()) {
            return Optional.empty();
        }
        var signed = new TreeSet<>(commits.keySet());
        signed.removeAll(unknown);
        var refusal = parts.uploads().areas().reserve(area.text(), push.repository(), upload.pusher(), unknown, signed);
        if (refusal.isPresent()) {
            noteRefusal(refusal.get());
            return refusal;
        }
        stage = Stage.RESERVED;
        commits.keySet().forEach(id -> pins.add(parts.pins().pin(id)));
        var taken = write(this::reserve);
        if (taken.isEmpty()) {
            parts.uploads().count(StagingOutcome.RESERVED);
            log("staging.reserved", 0, "push");
        }
        return taken;
    }

    private Optional<String> reserve(StoreTransaction transaction) {
        for (var id : unknown) {
            var taken = UploadRows.findPlaceholder(id, transaction)
                    .filter(row -> !row.commit().equals(commits.get(id)));
            if (taken.isPresent()) {
                return Optional.of(Reasons.otherPlaceholder(id));
            }
        }
        var now = parts.pools().time().wall();
        commits.forEach((id, commit) -> {
            if (unknown.contains(id)) {
                UploadRows.reserve(id, commit, upload, now, now.plus(parts.expiry()), transaction);
            } else {
                UploadRows.findHeld(id, transaction)
                        .ifPresent(row -> UploadRows.keep(row, UploadRows.with(row.pushedTo(), upload), transaction));
            }
        });
        return Optional.empty();
    }

    private void noteRefusal(String reason) {
        parts.uploads().noteOverQuota(reason);
    }

    /// Counts what comes.
    InputStream watching(InputStream pack) {
        if (commits.isEmpty() && bytesMax == Long.MAX_VALUE) {
            return pack;
        }
        return new WatchedInput(pack) {
            private long sum;

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                int got = in.read(bytes, from, length);
                if (got > 0) {
                    sum += got;
                    count(got, sum);
                }
                return got;
            }
        };
    }

    private void count(int more, long sum) throws PushCase.TooMuch {
        if (sum > bytesMax) {
            throw new PushCase.TooMuch("pack exceeds maximum size (" + bytesMax + " bytes)");
        }
        if (stage == Stage.RESERVED) {
            var refusal = parts.uploads().areas().grow(area.text(), more);
            if (refusal.isPresent()) {
                giveUp(refusal.get());
                throw new PushCase.TooMuch(refusal.get());
            }
        }
    }

    /// Whoever is told that there is no room finds it as it was before.
    private void giveUp(String reason) {
        noteRefusal(reason);
        cancel(StagingOutcome.OVER_QUOTA);
        stage = Stage.OVER_QUOTA;
    }

    /// Keeps what came, if its events are still not served, and says so durably. The identifier's lock is held.
    ///
    /// @return why it may not be kept
    Optional<String> keep(Quarantine received) throws IOException {
        if (stage != Stage.RESERVED || areServed()) {
            return Optional.empty();
        }
        var areas = parts.uploads().areas();
        var refusal = areas.measure(area.text(), bytesOf(received));
        if (refusal.isPresent()) {
            giveUp(refusal.get());
            return refusal;
        }
        parts.uploads().staging().keep(received, area.text());
        write(this::confirm);
        stage = Stage.KEPT;
        areas.end(area.text(), "unneeded"); // unless rows name it, which they do if nobody was faster
        parts.uploads().count(StagingOutcome.CONFIRMED);
        return Optional.empty();
    }

    private boolean areServed() {
        return parts.store().read(view -> commits.keySet().stream().allMatch(view::isServed));
    }

    private static long bytesOf(Quarantine received) throws IOException {
        long bytes = 0;
        try (var files = Files.newDirectoryStream(received.packDirectory())) {
            for (var file : files) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    private Boolean confirm(StoreTransaction transaction) {
        var now = parts.pools().time().wall();
        commits.forEach(
                (id, commit) -> UploadRows.confirm(id, commit, upload, now, now.plus(parts.expiry()), transaction));
        return true;
    }

    boolean isKept() {
        return stage == Stage.KEPT;
    }

    /// Identifiers for which the events that wait may now be served.
    Set<Identifier> concerned() {
        return parts.store().read(view -> {
            var found = new TreeSet<Identifier>();
            for (var id : commits.keySet()) {
                UploadRows.findHeld(id, view)
                        .ifPresent(row ->
                                Targets.of(row.proposal(), view).forEach(target -> found.add(target.identifier())));
            }
            return found;
        });
    }

    /// Leaves nothing behind of a push that did not come to a good end.
    @Override
    public void close() {
        if (stage == Stage.RESERVED) {
            boolean isServed = areServedQuietly();
            var outcome = isServed ? StagingOutcome.PROMOTED : StagingOutcome.FAILED;
            cancel(outcome);
            if (!isServed) {
                parts.uploads().count(outcome);
            }
        }
        stage = Stage.PLANNED;
        pins.forEach(Pins.Pin::close);
        pins.clear();
    }

    private boolean areServedQuietly() {
        try {
            return areServed();
        } catch (RuntimeException e) {
            LOG.warn("uploads not looked up reason={}", e.toString());
            return false;
        }
    }

    private void cancel(StagingOutcome outcome) {
        parts.locks().holding(List.of(push.repository().identifier()), this::takeBack);
        parts.uploads().areas().end(area.text(), outcome.word());
        parts.uploads().removeAbandoned();
    }

    private boolean takeBack() {
        try {
            return write(transaction -> {
                commits.keySet().forEach(id -> UploadRows.cancel(id, area, transaction));
                return true;
            });
        } catch (IOException e) {
            LOG.warn("upload not taken back, the next start does it area={} reason={}", area, e.toString());
            return false;
        }
    }

    private <T> T write(StoreWork<T> work) throws IOException {
        try {
            return parts.store().write(Urgency.WAITING, 0, work).join();
        } catch (CompletionException e) {
            throw new IOException("what was pushed could not be written down", e.getCause());
        }
    }

    private void log(String what, long bytes, String cause) {
        commits.keySet()
                .forEach(id -> LOG.debug(
                        "{} event={} identifier={} bytes={} cause={}",
                        what,
                        Uploads.start(id),
                        push.repository().identifier(),
                        bytes,
                        cause));
    }
}
