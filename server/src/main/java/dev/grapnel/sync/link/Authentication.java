package dev.grapnel.sync.link;

import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.Signer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Answers a relay's challenge, but only when it refused something for want of an answer (R4.22). Once a challenge.
final class Authentication {
    private static final int CHALLENGE_MAX = 1_024;

    /// Signatures for one connection; nobody needs more than one or two.
    private static final int ANSWERS_MAX = 20;

    private static final Duration WAIT = Duration.ofSeconds(10);

    private final RemoteUrl relay;
    private final Signer signer;
    private final Scheduler loop;
    private final Consumer<LinkNote> notes;
    private final List<Consumer<Boolean>> waiting = new ArrayList<>();
    private Optional<Wire> wire = Optional.empty();
    private Optional<String> challenge = Optional.empty();
    private Optional<String> answered = Optional.empty();
    private Optional<String> sent = Optional.empty();
    private Optional<Boolean> outcome = Optional.empty();
    private int answers;
    private boolean isAsked;
    private boolean isRestricted;
    private Runnable alarm = () -> {};

    Authentication(RemoteUrl relay, Signer signer, Scheduler loop, Consumer<LinkNote> notes) {
        this.relay = relay;
        this.signer = signer;
        this.loop = loop;
        this.notes = notes;
    }

    void open(Wire opened) {
        forget();
        wire = Optional.of(opened);
    }

    void lost() {
        forget();
        wire = Optional.empty();
    }

    private void forget() {
        waiting.clear();
        challenge = Optional.empty();
        answered = Optional.empty();
        sent = Optional.empty();
        outcome = Optional.empty();
        answers = 0;
        isAsked = false;
        isRestricted = false;
        alarm.run();
    }

    void challenged(String text) {
        if (text.length() > CHALLENGE_MAX) {
            return; // nobody needs that much to tell us apart
        }
        challenge = Optional.of(text);
        if (isAsked && sent.isEmpty()) {
            answer();
        }
    }

    /// Authenticates, unless that was tried, and tells whether the relay knows us now.
    void over(Consumer<Boolean> then) {
        if (outcome.isPresent() && !isFresh()) {
            then.accept(outcome.get());
            return;
        }
        waiting.add(then);
        if (!isAsked) {
            isAsked = true;
            answer();
        }
    }

    /// Whether there is a challenge that was not answered.
    private boolean isFresh() {
        return challenge.isPresent() && !challenge.equals(answered) && answers < ANSWERS_MAX;
    }

    private void answer() {
        if (isFresh() && wire.isPresent()) {
            var event = signer.authenticate(relay, challenge.orElseThrow());
            answered = challenge;
            answers++;
            sent = Optional.of(event.id().toString());
            wire.get().send(new ClientMessage.Authenticate(event).json());
        }
        alarm.run();
        alarm = loop.after(WAIT, () -> conclude(false));
    }

    void heard(RelayMessage.Ok ok) {
        if (sent.equals(Optional.of(ok.eventId()))) {
            isRestricted = !ok.accepted() && ok.message().startsWith("restricted");
            if (!ok.accepted()) {
                notes.accept(new LinkNote.AuthenticationFailed());
            }
            conclude(ok.accepted());
        }
    }

    private void conclude(boolean isKnown) {
        alarm.run();
        isAsked = false; // the next challenge is answered when something is refused again
        sent = Optional.empty();
        outcome = Optional.of(isKnown);
        var all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(then -> then.accept(isKnown));
    }

    /// How many wait for an answer.
    int waiting() {
        return waiting.size();
    }

    /// Whether the relay said that this service is not welcome (R4.23).
    boolean isRestricted() {
        return isRestricted;
    }
}
