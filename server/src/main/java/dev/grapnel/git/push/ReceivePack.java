package dev.grapnel.git.push;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.WatchedInput;
import dev.grapnel.git.pack.Intake;
import dev.grapnel.git.pack.PackIntake;
import dev.grapnel.git.push.Foundation.Findings;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.repository.Sharing;
import dev.grapnel.git.wire.BrokenPacket;
import dev.grapnel.git.wire.KeepAlive;
import dev.grapnel.git.wire.PacketWriter;
import dev.grapnel.git.wire.SideBand;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.RefName;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers one push.
public final class ReceivePack {
    private static final Logger LOG = LoggerFactory.getLogger(ReceivePack.class);
    private static final String FAILED = "internal error: the server could not do it; try again, or tell its operator";

    private final Repositories repositories;
    private final PushPolicy policy;
    private final PushLimits limits;
    private final KeepAlive keepAlive;
    private final RefMoves moves;
    private final FreeSpace space;

    public ReceivePack(
            Repositories repositories,
            PushPolicy policy,
            PushLimits limits,
            KeepAlive keepAlive,
            RefMoves moves,
            FreeSpace space) {
        this.repositories = repositories;
        this.policy = policy;
        this.limits = limits;
        this.keepAlive = keepAlive;
        this.moves = moves;
        this.space = space;
    }

    /// How the answer reaches the client.
    public interface Channel {
        /// The answer of git's protocol begins.
        OutputStream begin() throws IOException;

        /// The protocol the client chose has no place for a reason.
        void refuse(String reason) throws IOException;

        /// Reads and forgets what the client still sends, up to a limit, so that it reads the answer at all.
        void drain() throws IOException;
    }

    /// Reads everything before the pack.
    ///
    /// @throws BrokenPacket if this is no push; nothing was answered yet
    public PushRequest read(InputStream body) throws IOException {
        return new PushReader(body, limits.commands()).read();
    }

    /// Receives, decides and reports.
    ///
    /// @param foundation on which a push may rest
    /// @throws IOException if the client is gone or a disk fails
    public void answer(
            RepositoryLease repository,
            Foundation foundation,
            PushRequest request,
            Pusher client,
            InputStream body,
            Channel channel)
            throws IOException {
        if (request.isProbe()) {
            channel.begin().flush();
            return;
        }
        var push = new Push(repository.address(), request.commands(), client);
        var defect = findDefect(request);
        if (defect.isPresent()) {
            refuse(request, defect.get(), channel);
            return;
        }
        try (var pushCase = policy.open(push)) {
            var verdict = orTold(push, pushCase::judge);
            switch (verdict instanceof PushVerdict.Allowed && space.isLow() ? noRoom(request) : verdict) {
                case PushVerdict.Refused refusal -> refuse(request, refusal, channel);
                case PushVerdict.Allowed _ -> receive(repository, foundation, request, push, pushCase, body, channel);
            }
        }
    }

    /// Before a byte of the pack was read.
    private void refuse(PushRequest request, PushVerdict refusal, Channel channel) throws IOException {
        if (request.canReadReport()) {
            channel.drain();
        }
        try (var answer = new Answer(request, channel)) {
            answer.sendEarly(refusal);
        }
    }

    private static PushVerdict noRoom(PushRequest request) {
        return PushVerdict.refusedWhole(request.commands(), FreeSpace.LOW);
    }

    /// What git itself does not allow (service 6.1).
    private Optional<PushVerdict> findDefect(PushRequest request) {
        var commands = request.commands();
        if (commands.size() > limits.commands()) {
            return whole(commands, "too many refs in one push (limit " + limits.commands() + ")");
        }
        for (var capability : request.capabilities()) {
            boolean foreign = capability.startsWith("object-format=") && !capability.endsWith("=sha1");
            if (foreign || capability.startsWith("push-cert")) {
                return whole(commands, capability + " is not offered here");
            }
        }
        var seen = new HashSet<String>();
        for (var command : commands) {
            if (!seen.add(command.ref())) {
                return one(command, command.ref() + " appears twice in this push");
            }
            if (!isName(command.ref())) {
                return one(command, "funny refname");
            }
        }
        return Optional.empty();
    }

    /// Names of one level pass here; what they mean is for the policy to say. Bytes that are no text make
    /// no name.
    private static boolean isName(String ref) {
        boolean text = ref.indexOf('\ufffd') < 0;
        boolean oneLevel = ref.indexOf('/') < 0 && RefName.parse("refs/" + ref) instanceof Parsed.Valid;
        return text && (oneLevel || RefName.parse(ref) instanceof Parsed.Valid);
    }

    private static Optional<PushVerdict> whole(List<PushCommand> commands, String reason) {
        return Optional.of(PushVerdict.refusedWhole(commands, reason));
    }

    private static Optional<PushVerdict> one(PushCommand command, String reason) {
        return Optional.of(new PushVerdict.Refused(Set.of(command.ref()), reason, List.of()));
    }

    private void receive(
            RepositoryLease repository,
            Foundation foundation,
            PushRequest request,
            Push push,
            PushCase pushCase,
            InputStream body,
            Channel channel)
            throws IOException {
        try (var answer = new Answer(request, channel);
                var quarantine = findQuarantine(repository, foundation).orElse(null)) {
            if (quarantine == null) {
                channel.drain();
                answer.sendFailure(FAILED);
                return;
            }
            var findings = request.hasPack()
                    ? receivePack(quarantine, foundation, push, pushCase.watching(answer.watching(body)))
                    : new Findings.Sound(List.of());
            switch (findings) {
                case Findings.Flaw(var reason) -> {
                    channel.drain();
                    var obstacle = findObstacle(push, pushCase);
                    if (obstacle.isPresent()) {
                        answer.send(obstacle.get());
                    } else {
                        answer.sendFlaw(reason);
                    }
                }
                case Findings.Failure(var reason) -> {
                    channel.drain();
                    answer.sendFailure(reason);
                }
                case Findings.Sound(var lent) ->
                    answer.send(orTold(
                            push,
                            () -> pushCase.settle(
                                    new ReceivedPush(repository, quarantine, moves, new Sharing(repositories), lent))));
            }
        }
    }

    /// Nowhere, if it cannot be made.
    private Optional<Quarantine> findQuarantine(RepositoryLease repository, Foundation foundation) {
        try {
            return Optional.of(repositories.quarantine(repository, foundation.others()));
        } catch (IOException e) {
            LOG.error("no place for a push repo={}", repository.address(), e);
            return Optional.empty();
        }
    }

    /// Whoever cannot find out tells what is wrong with the pack.
    private static Optional<PushVerdict> findObstacle(Push push, PushCase pushCase) throws InterruptedIOException {
        try {
            return pushCase.findObstacle();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            LOG.error("push not judged again repo={}", push.repository(), e);
            return Optional.empty();
        }
    }

    /// What fails on our side is told like any other refusal: a client whose connection breaks knows nothing.
    private static PushVerdict orTold(Push push, Decision decision) throws IOException {
        try {
            return decision.decide();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            LOG.error("push not carried out repo={}", push.repository(), e);
            return PushVerdict.refusedWhole(push.commands(), FAILED);
        }
    }

    private interface Decision {
        PushVerdict decide() throws IOException;
    }

    private Findings receivePack(Quarantine quarantine, Foundation foundation, Push push, InputStream body)
            throws IOException {
        var sent = new SentBytes(body);
        try (var here = quarantine.here()) {
            var intake = new PackIntake(limits.pack(), quarantine.packDirectory(), here);
            return switch (intake.receive(space.watching(sent))) {
                case Intake.Refused refused -> foundation.explain(refused, quarantine);
                case Intake.Empty _ -> foundation.examine(push, null, quarantine);
                case Intake.Received(var pack) -> foundation.examine(push, pack, quarantine);
            };
        } catch (PushCase.TooMuch e) {
            return new Findings.Flaw(e.reason());
        } catch (FreeSpace.TooLow _) {
            return new Findings.Failure(FreeSpace.LOW);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            if (sent.hasFailed()) {
                throw e; // nobody is there to be told
            }
            LOG.error("push not received repo={}", push.repository(), e);
            return new Findings.Failure(FreeSpace.isFull(e) ? FreeSpace.LOW : FAILED);
        }
    }

    /// What a client sends. Tells its failures from those of our disk.
    private static final class SentBytes extends WatchedInput {
        private boolean failed;

        SentBytes(InputStream body) {
            super(body);
        }

        boolean hasFailed() {
            return failed;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            failed = true;
            int count = in.read(bytes, from, length);
            failed = false;
            return count;
        }
    }

    /// The answer to one push: opened when the request was read, because clients that send do not listen yet.
    private final class Answer implements AutoCloseable {
        private final PushRequest request;
        private final Channel channel;
        private @Nullable OutputStream out;
        private @Nullable SideBand bands;
        private KeepAlive.@Nullable Watch watch;

        Answer(PushRequest request, Channel channel) {
            this.request = request;
            this.channel = channel;
        }

        /// From the end of the request on the client waits, and is told from time to time that it does not
        /// in vain.
        InputStream watching(InputStream body) {
            return new FilterInputStream(body) {
                @Override
                public int read() throws IOException {
                    return noteEnd(super.read());
                }

                @Override
                public int read(byte[] bytes, int from, int length) throws IOException {
                    return noteEnd(super.read(bytes, from, length));
                }

                private int noteEnd(int result) throws IOException {
                    if (result < 0 && watch == null && request.hasSideBand()) {
                        watch = keepAlive.watch(bands());
                    }
                    return result;
                }
            };
        }

        private OutputStream out() throws IOException {
            var opened = out;
            if (opened == null) {
                opened = channel.begin();
                out = opened;
            }
            return opened;
        }

        private SideBand bands() throws IOException {
            var opened = bands;
            if (opened == null) {
                opened = keepAlive.bands(out(), true);
                bands = opened;
            }
            return opened;
        }

        void send(PushVerdict verdict) throws IOException {
            switch (verdict) {
                case PushVerdict.Allowed _ -> send(PushReport.done(request), "");
                case PushVerdict.Refused refusal -> send(PushReport.refused(request, refusal), refusal.reason());
            }
        }

        /// The protocol has one line for those who want no report, as long as they have sent nothing.
        void sendEarly(PushVerdict verdict) throws IOException {
            if (!request.canReadReport() && verdict instanceof PushVerdict.Refused refusal) {
                var line = new PacketWriter(out());
                line.line("ERR " + refusal.reason() + "\n");
                out().flush();
                channel.drain();
            } else {
                send(verdict);
            }
        }

        /// A client that lacks history itself most likely did not send what it does not have.
        void sendFlaw(String flaw) throws IOException {
            if (request.shallow()) {
                var refs = PushVerdict.refusedWhole(request.commands(), "shallow update not allowed")
                        .refs();
                send(new PushVerdict.Refused(refs, "shallow update not allowed", List.of(flaw)));
            } else {
                send(PushReport.unpackFailed(request, flaw), flaw);
            }
        }

        /// Our own fault.
        void sendFailure(String reason) throws IOException {
            send(PushReport.unpackFailed(request, reason), reason);
        }

        private void send(PushReport report, String reason) throws IOException {
            close();
            if (request.hasSideBand()) {
                report.send(bands());
            } else if (request.wantsReport() || reason.isEmpty()) {
                report.send(out());
            } else {
                channel.refuse(reason);
            }
        }

        @Override
        public void close() {
            if (watch != null) {
                watch.close();
            }
        }
    }
}
