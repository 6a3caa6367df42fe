package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.health.SlidingLimit;
import dev.grapnel.sync.link.Ledger.Use;
import dev.grapnel.sync.received.Arrivals;
import dev.grapnel.sync.world.Heard;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/// What a relay says, and whom it concerns (sync 4.7, 7.1). Whatever nobody asked for is counted, and too much of it
/// ends
/// the connection.
final class Inbox {
    private static final Duration NOTICE_REACH = Duration.ofSeconds(10);
    private static final Duration JUNK_TIME = Duration.ofMinutes(1);
    private static final int JUNK_MAX = 100;

    private final Link link;
    private SlidingLimit junk = bearable();
    private final IdleTalk talk = new IdleTalk();
    private final Set<Ending> endings = new HashSet<>();

    /// An end that was told, and counts when every event before it is decided.
    private record Ending(SubscriptionId id, Wire.Conversation asker) {}

    Inbox(Link link) {
        this.link = link;
    }

    /// A new connection begins.
    void forget() {
        junk = bearable();
        talk.forget();
        endings.clear();
    }

    private static SlidingLimit bearable() {
        return new SlidingLimit(JUNK_MAX, JUNK_TIME);
    }

    void heard(Heard heard, Wire line) {
        switch (heard) {
            case Heard.Delivered delivered -> deliver(delivered, line);
            case Heard.Said(var message, int bytes) -> said(message, bytes, line);
            case Heard.Unknown(var reason, int bytes) -> unknown(reason, bytes);
            case Heard.Junk(var reason, int bytes) -> junk(reason, bytes);
        }
    }

    private void deliver(Heard.Delivered delivered, Wire line) {
        var conversation = line.find(delivered.id());
        var event = delivered.event();
        if (conversation.isEmpty()) {
            delivered.decided().run();
            if (line.isLate(delivered.id())) {
                idle(0, delivered.bytes()); // it may have been on its way
            } else {
                junk("subscription", delivered.bytes());
            }
            return;
        }
        var asker = conversation.get();
        if (!asker.expects(event)) {
            delivered.decided().run();
            if (asker instanceof LiveGroup group
                    && (group.isWide() || link.plan().hasSurplus())) {
                idle(0, delivered.bytes()); // we asked for more than is wanted
            } else {
                junk("unasked", delivered.bytes());
            }
            return;
        }
        var fate = new Fate(delivered, asker, line);
        boolean isGiven = false;
        try {
            asker.took(event);
            if (asker.path() == Arrivals.Path.LIVE) {
                link.coverage().streamed(event.createdAt());
            }
            link.arrivals().receive(event, link.relay(), asker.path(), fate::decide);
            isGiven = true;
        } finally { // what fails here must not keep an EOSE waiting for ever
            if (!isGiven) {
                fate.decide(Arrivals.Outcome.FAILED);
            }
        }
    }

    /// Whom the outcome of an event concerns. The first one counts.
    private final class Fate {
        private final Heard.Delivered delivered;
        private final Wire.Conversation asker;
        private final Wire line;
        private final Arrived arrived = link.work().arrived();
        private final Arrived.Entry entry = arrived.event();
        private boolean isDecided;

        Fate(Heard.Delivered delivered, Wire.Conversation asker, Wire line) {
            this.delivered = delivered;
            this.asker = asker;
            this.line = line;
        }

        void decide(Arrivals.Outcome outcome) {
            if (!isDecided) {
                isDecided = true;
                try {
                    tell(outcome);
                } finally { // whoever cannot bear it
                    arrived.decided(entry);
                }
            }
        }

        private void tell(Arrivals.Outcome outcome) {
            delivered.decided().run();
            if (!line.isOver()) {
                asker.decided(delivered.event(), outcome);
            }
            if (outcome == Arrivals.Outcome.STORED || outcome == Arrivals.Outcome.HELD) {
                link.accepted();
            }
            noteGap(delivered.event(), asker.path(), outcome);
        }
    }

    /// What is dated when the relay was streamed, and came only now, shows that the stream has gaps.
    private void noteGap(Event event, Arrivals.Path path, Arrivals.Outcome outcome) {
        boolean isLate = path == Arrivals.Path.CATCHUP || path == Arrivals.Path.DAILY;
        if (isLate && outcome == Arrivals.Outcome.STORED && link.coverage().wasStreamed(event.createdAt())) {
            link.note(new LinkNote.Missed());
        }
    }

    private void said(RelayMessage message, int bytes, Wire line) {
        switch (message) {
            case RelayMessage.EndOfStored(var id, var _) ->
                line.find(id)
                        .filter(asker -> !(asker instanceof LiveGroup group && group.isAnswered()))
                        .ifPresentOrElse(asker -> ended(id, bytes, asker, line), () -> chatter(bytes));
            case RelayMessage.Closed(var id, var text) -> closed(id, text, bytes, line);
            case RelayMessage.Notice(var text) -> noticed(text, bytes);
            case RelayMessage.Challenge(var challenge) -> {
                chatter(bytes);
                link.authentication().challenged(challenge);
            }
            case RelayMessage.Ok ok -> {
                chatter(bytes);
                link.authentication().heard(ok);
            }
            case RelayMessage.NegMessage(var id, var answer) ->
                line.findComparison(id)
                        .ifPresentOrElse(comparison -> comparison.answered(answer), () -> chatter(bytes));
            case RelayMessage.NegError(var id, var reason, var limit) ->
                line.removeComparison(id)
                        .ifPresentOrElse(
                                comparison -> comparison.failed(reason, limit.isPresent()), () -> chatter(bytes));
            case RelayMessage.Delivery _, RelayMessage.Counted _ -> unknown("unknown", bytes);
        }
    }

    private void ended(SubscriptionId id, int bytes, Wire.Conversation asker, Wire line) {
        end(new Ending(id, asker), bytes, () -> {
            if (line.find(id).isPresent()) {
                link.note(new LinkNote.Eose(id.text()));
                asker.ended();
            }
        });
    }

    /// Runs something when everything that came before is decided. What is told twice meanwhile is told to nobody.
    private void end(Ending ending, int bytes, Runnable action) {
        if (!endings.add(ending)) {
            chatter(bytes);
            return;
        }
        link.work().arrived().then(() -> {
            endings.remove(ending);
            action.run();
        });
    }

    private void closed(SubscriptionId id, String text, int bytes, Wire line) {
        line.find(id).ifPresentOrElse(asker -> closed(id, text, bytes, asker, line), () -> chatter(bytes));
    }

    private void closed(SubscriptionId id, String text, int bytes, Wire.Conversation asker, Wire line) {
        if (asker instanceof LiveGroup) {
            line.remove(id);
            line.free(Use.LIVE);
            asker.closed(text);
            return;
        }
        end(new Ending(id, asker), bytes, () -> {
            if (line.remove(id).isPresent()) {
                asker.closed(text);
            }
        });
    }

    /// A word to nobody in particular (R4.21).
    private void noticed(String text, int bytes) {
        var line = RefusalLine.of(text, false);
        chatter(bytes);
        link.note(new LinkNote.Noticed(line.word()));
        switch (line) {
            case ITEMS, SESSIONS -> link.work().hear(text, NOTICE_REACH);
            case OPEN_BYTES, FILTER_COUNT, SUBSCRIPTIONS, VALUES, LIMIT -> {
                link.plan().closings().refuseSilent(NOTICE_REACH, text);
                link.work().refuseSilent(NOTICE_REACH, text);
            }
            case AUTH -> {
                if (link.authentication().waiting() == 0) {
                    link.authentication().over(_ -> link.work().pump());
                }
            }
            case RATE -> {
                link.lessons().slowDown(RefusalLine.namesQueries(text));
                link.plan().closings().refuseSilent(NOTICE_REACH, text);
                link.work().refuseSilent(NOTICE_REACH, text);
            }
            case POLICY, INVALID, OTHER -> link.work().hear(text, NOTICE_REACH);
        }
    }

    private void unknown(String reason, int bytes) {
        link.note(new LinkNote.Junk(reason));
        chatter(bytes);
    }

    /// A message came that answers nothing.
    private void chatter(int bytes) {
        idle(1, bytes);
    }

    /// A flood of what answers nothing ends the connection like other junk (R4.24).
    private void idle(int messages, int bytes) {
        switch (talk.hear(messages, bytes, link.loop().nanos())) {
            case BORNE -> {}
            case NAMED -> link.note(new LinkNote.Chatter());
            case TOO_MUCH -> link.hangUp(Link.FLOODED);
        }
    }

    /// Something came that nobody asked for; too much of it, and the connection ends (R4.24).
    private void junk(String reason, int bytes) {
        idle(0, bytes);
        junk(reason);
    }

    /// The same of an event that was asked for, and is not what it should be.
    void junk(String reason) {
        link.note(new LinkNote.Junk(reason));
        if (!junk.tryTake(link.loop().nanos())) {
            junk = bearable();
            link.hangUp(Link.FLOODED);
        }
    }
}
