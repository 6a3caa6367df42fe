package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.Standing;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Everything about one author's announcements of one identifier.
///
/// @param standing what the repository is to this server; nothing for a reference, and while it only waits
/// @param isMuted whether the operator does not listen to this author
public record Announced(
        PublicKey author,
        Optional<Voice> served,
        Optional<HeldVoice> held,
        Optional<Standing.Phase> standing,
        boolean isMuted) {
    static Announced nothing(PublicKey author, boolean isMuted) {
        return new Announced(author, Optional.empty(), Optional.empty(), Optional.empty(), isMuted);
    }

    Announced withServed(Optional<Voice> voice) {
        return new Announced(author, voice, held, standing, isMuted);
    }

    Announced withHeld(Optional<HeldVoice> voice) {
        return new Announced(author, served, voice, standing, isMuted);
    }

    Announced withStanding(Optional<Standing.Phase> phase) {
        return new Announced(author, served, held, phase, isMuted);
    }

    /// The same if the operator listened to its author.
    public Announced heard() {
        return new Announced(author, served, held, standing, false);
    }

    /// As it is at a second, when what has expired says nothing any more.
    Announced at(long second) {
        return new Announced(
                author,
                served.filter(voice -> voice.isHeardAt(second)),
                held.filter(voice -> voice.voice().isHeardAt(second)),
                standing,
                isMuted);
    }

    /// Most are the very same object: then nothing need be compared.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Announced that
                        && author.equals(that.author)
                        && served.equals(that.served)
                        && held.equals(that.held)
                        && standing.equals(that.standing)
                        && isMuted == that.isMuted);
    }

    @Override
    public int hashCode() {
        return author.hashCode();
    }

    boolean isNothing() {
        return served.isEmpty() && held.isEmpty() && standing.isEmpty();
    }

    /// P of service 5.1.2: the newest version that counts, served or held.
    public Optional<Voice> voice() {
        if (isMuted) {
            return Optional.empty();
        }
        return held.map(HeldVoice::voice)
                .filter(waiting -> served.isEmpty()
                        || waiting.version().isNewerThan(served.get().version()))
                .or(() -> served);
    }

    /// Whom its announcements name, listed or as moderator (service 4.4.4).
    public Stream<PublicKey> named() {
        return isMuted
                ? Stream.empty()
                : Stream.concat(served.stream(), held.stream().map(HeldVoice::voice))
                        .map(Voice::roster)
                        .flatMap(roster -> Stream.concat(roster.listed().stream(), roster.moderators().stream()));
    }

    /// How many people its announcements name, each mention counted.
    public long keysNamed() {
        return Tally.of(this).keysNamed();
    }

    /// Whether one waits that asks for a repository here.
    public boolean isHeldHosted() {
        return !isMuted && held.filter(HeldVoice::isHosted).isPresent();
    }

    /// Whether a repository of this author takes pushes, now or once it is back: then states of its
    /// maintainers are taken.
    public boolean isHosted() {
        return isHeldHosted() || (!isMuted && isServedHosted());
    }

    /// Whether its repository is served and not withdrawn.
    public boolean isServedHosted() {
        return served.isPresent()
                && standing.filter(phase -> phase == Standing.Phase.HOSTED).isPresent();
    }

    /// Whether its repository can be read and is served: it carries states and proposals (service 4.9.6).
    public boolean carries() {
        return served.isPresent() && standing.filter(Standing.Phase::isOnline).isPresent();
    }

    /// Whether its repository went offline and is kept for a while.
    public boolean isInTrash() {
        return standing.filter(phase -> phase == Standing.Phase.TRASHED).isPresent();
    }

    /// Whether there must be a repository on disk.
    public boolean hasRepository() {
        return standing.filter(Standing.Phase::isOnline).isPresent()
                || held.filter(voice -> voice.phase() == HeldAnnouncement.Phase.ACTIVE)
                        .isPresent();
    }

    /// When the first of its voices falls silent.
    long firstExpiry() {
        return Stream.concat(served.stream(), held.stream().map(HeldVoice::voice))
                .mapToLong(Voice::expiry)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
