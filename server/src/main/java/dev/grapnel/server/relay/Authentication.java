package dev.grapnel.server.relay;

import dev.grapnel.config.RelaySettings.Auth;
import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.auth.RelayAuth;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.store.Viewer;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// Who a client has proved to be (NIP-42, relay 5.2). Changed by the thread that reads the connection only.
final class Authentication {
    private static final int CHALLENGE_BYTES = 16;
    /// Keys one connection may prove; each costs memory and time with every restricted event.
    private static final int KEYS_MAX = 100;

    private static final Refusal OFF = Refusal.unsupported("authentication is not enabled");
    private static final Refusal TOO_OFTEN = new Refusal(Prefix.RATE_LIMITED, "too many authentication attempts");

    private final RelayConfig config;
    private final String challenge;
    private final Recent attempts;
    private final AtomicBoolean challenged = new AtomicBoolean();
    private volatile Viewer viewer;

    Authentication(RelayConfig config, RandomGenerator random, LongSupplier nanoTime) {
        this.config = config;
        var bytes = new byte[CHALLENGE_BYTES];
        random.nextBytes(bytes);
        this.challenge = Hex.format(bytes);
        this.attempts = new Recent(config.authAttempts(), nanoTime);
        this.viewer = new Viewer(config.restrictedKinds(), Set.of());
    }

    /// What this client may see.
    Viewer viewer() {
        return viewer;
    }

    Set<PublicKey> keys() {
        return viewer.keys();
    }

    /// Whether commands are refused because nobody has authenticated yet.
    boolean isMissing() {
        return config.auth() == Auth.REQUIRED && keys().isEmpty();
    }

    boolean isOffered() {
        return config.auth() != Auth.OFF;
    }

    /// The challenge, if it has to be sent before a refusal.
    Optional<RelayMessage> challenge() {
        return isOffered() && challenged.compareAndSet(false, true)
                ? Optional.of(new RelayMessage.Challenge(challenge))
                : Optional.empty();
    }

    /// Why the event does not prove its author, if it does not; else its author counts from now on.
    Optional<Refusal> prove(Event event, ServiceAddress service, Instant now) {
        var refusal = judgeAttempt().or(() -> RelayAuth.judge(event, challenged.get() ? challenge : "", service, now));
        return refusal.isPresent() ? refusal : add(event.author());
    }

    /// Why an attempt is not even looked at, if it is not. Malformed ones count like all others.
    Optional<Refusal> judgeAttempt() {
        if (!isOffered()) {
            return Optional.of(OFF);
        }
        return attempts.take() ? Optional.empty() : Optional.of(TOO_OFTEN);
    }

    private Optional<Refusal> add(PublicKey key) {
        var keys = new HashSet<>(keys());
        keys.add(key);
        if (keys.size() > KEYS_MAX) {
            return Optional.of(new Refusal(Prefix.RESTRICTED, "a session has at most " + KEYS_MAX + " keys"));
        }
        viewer = new Viewer(config.restrictedKinds(), keys);
        return Optional.empty();
    }
}
