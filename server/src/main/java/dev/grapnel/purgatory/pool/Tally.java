package dev.grapnel.purgatory.pool;

import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.Standing;

/// How much there is of everything.
///
/// @param active held announcements with a repository
/// @param soft held announcements whose repository is gone
/// @param references held announcements that never had one
/// @param proposals held proposals; in the sum over identifiers one that names several counts several times
/// @param hosted repositories whose announcement is served
/// @param keysNamed how many people all announcements name, each mention counted
public record Tally(
        int active, int soft, int references, int states, int proposals, int hosted, int withdrawn, long keysNamed) {
    static final Tally NOTHING = new Tally(0, 0, 0, 0, 0, 0, 0, 0);

    static Tally of(Announced announced) {
        var phase = announced.held().map(HeldVoice::phase);
        var standing = announced.standing().filter(_ -> announced.served().isPresent());
        long keys = announced.served().map(Tally::keysIn).orElse(0L)
                + announced.held().map(held -> keysIn(held.voice())).orElse(0L);
        return new Tally(
                one(phase.filter(found -> found == Phase.ACTIVE).isPresent()),
                one(phase.filter(found -> found == Phase.SOFT_EXPIRED).isPresent()),
                one(phase.filter(found -> found == Phase.REFERENCE).isPresent()),
                0,
                0,
                one(standing.filter(found -> found == Standing.Phase.HOSTED).isPresent()),
                one(standing.filter(found -> found == Standing.Phase.WITHDRAWN).isPresent()),
                keys);
    }

    static Tally ofQueues(int states, int proposals) {
        return new Tally(0, 0, 0, states, proposals, 0, 0, 0);
    }

    Tally plus(Tally other) {
        return combine(other, 1);
    }

    Tally minus(Tally other) {
        return combine(other, -1);
    }

    private Tally combine(Tally other, int sign) {
        return new Tally(
                active + sign * other.active,
                soft + sign * other.soft,
                references + sign * other.references,
                states + sign * other.states,
                proposals + sign * other.proposals,
                hosted + sign * other.hosted,
                withdrawn + sign * other.withdrawn,
                keysNamed + sign * other.keysNamed);
    }

    private static long keysIn(Voice voice) {
        var roster = voice.roster();
        return (long) roster.listed().size()
                + roster.leads().size()
                + roster.moderators().size();
    }

    private static int one(boolean isSo) {
        return isSo ? 1 : 0;
    }
}
