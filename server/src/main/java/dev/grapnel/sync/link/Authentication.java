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
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final RemoteUrl relay;
    private final Signer signer;
    private final Scheduler loop;
    private final Consumer<LinkNote> notes;
    private final List<Consumer<Boolean>> waiting = new ArrayList<>();
    private Optional<Wire> wire = Optional.empty();
    private Optional<String> challenge = Optional.empty();
    private Optional<String> sent = Optional.empty();
    private Optional<Boolean> outcome = Optional.empty();
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
        sent = Optional.empty();
        outcome = Optional.empty();
        isAsked = false;
        isRestricted = false;
        alarm.run();
    }

    void challenged(String text) {
        challenge = Optional.of(text);
        outcome = Optional.empty();
        sent = Optional.empty();
        if (isAsked) {
            answer();
        }
    }

    /// Authenticates, unless that was tried, and tells whether the relay knows us now.
    void over(Consumer<Boolean> then) {
        if (outcome.isPresent()) {
            then.accept(outcome.get());
            return;
        }
        waiting.add(then);
        if (!isAsked || sent.isEmpty()) {
            isAsked = true;
            answer();
        }
    }

    private void answer() {
        if (challenge.isPresent() && wire.isPresent() && sent.isEmpty()) {
            var event = signer.authenticate(relay, challenge.get());
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
