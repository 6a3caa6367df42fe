package dev.grapnel.purgatory.pool;

import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Terms;
import java.util.Optional;

/// An announcement in purgatory.
///
/// @param deadline a moment of the [Timeline]
public record HeldVoice(Voice voice, Phase phase, Source source, long deadline) {
    static HeldVoice of(HeldAnnouncement row, Timeline time) {
        var voice = Voice.of(row.event())
                .orElseThrow(() ->
                        new IllegalStateException("held event " + row.event().id() + " is no announcement"));
        return new HeldVoice(voice, row.phase(), row.source(), time.momentOf(row.expiresAt()));
    }

    HeldVoice on(Terms terms, Timeline time) {
        return new HeldVoice(voice, terms.phase().orElse(phase), terms.source(), time.momentOf(terms.expiresAt()));
    }

    /// The same with another deadline.
    HeldVoice until(long otherDeadline) {
        return new HeldVoice(voice, phase, source, otherDeadline);
    }

    /// On which terms it is held, with another deadline.
    public Terms terms(long otherDeadline, Timeline time) {
        return new Terms(time.wallAt(otherDeadline), source, Optional.of(phase));
    }

    /// Whether it asks for a repository here, whether or not there is one just now.
    public boolean isHosted() {
        return phase != Phase.REFERENCE;
    }
}
