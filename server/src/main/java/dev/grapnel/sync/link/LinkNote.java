package dev.grapnel.sync.link;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.Targets;
import java.time.Duration;

/// Something that happened at a relay, for those who count and for the log (sync 9). Nothing here is text of the relay.
public sealed interface LinkNote {
    /// A connection is up.
    ///
    /// @param strategy `fresh`, `quick`, `stale`
    /// @param gap since the last one ended
    record Connected(String strategy, Duration gap, int generation) implements LinkNote {}

    /// The full sync, or the catch-up, is done.
    record Complete(int repositories, long roots, boolean isDoubtful, boolean isDaily) implements LinkNote {
        static Complete of(int relay, Targets targets, boolean isDoubtful, boolean isDaily) {
            var roots = new long[1];
            targets.forEachPair(relay, pair -> {
                int repo = targets.repo(pair);
                roots[0] += targets.level(repo) == Level.FULL ? targets.rootCount(repo) : 0;
            });
            return new Complete(targets.pairCount(relay), roots[0], isDoubtful, isDaily);
        }
    }

    /// An answer came to its end.
    ///
    /// @param subscription our own name for it
    record Eose(String subscription) implements LinkNote {}

    /// A daily comparison begins, or could not yet.
    record Daily(boolean isPostponed) implements LinkNote {}

    /// A batch came to an end.
    ///
    /// @param result `confirmed`, `parked`, `cancelled`, `doubt`
    record BatchEnded(Purpose purpose, String result) implements LinkNote {}

    /// It brought more new announcements or GRASP lists than a relay may in an hour (R7.14a).
    record OverQuota() implements LinkNote {}

    /// A page of stored events was asked for.
    record Page() implements LinkNote {}

    /// One value has more events in one second than a page holds.
    record PageOverflow() implements LinkNote {}

    /// A request was ended because nothing came.
    ///
    /// @param kind `historic_page`, `catchup`, `negentropy_hydration`, `negentropy_retry`, `negentropy_fallback`,
    /// `sweep`
    /// @param isClosed whether our CLOSE went out; else the connection ended before
    record Watchdog(String kind, boolean isClosed) implements LinkNote {}

    /// Something came that nobody asked for.
    record Junk(String reason) implements LinkNote {}

    /// An event was stored by a catch-up or a daily comparison that the stream should have brought.
    record Missed() implements LinkNote {}

    /// The relay said something to nobody in particular.
    ///
    /// @param meaning what its words were taken for; they themselves are nowhere
    record Noticed(String meaning) implements LinkNote {}

    /// A limit of the relay's was met.
    ///
    /// @param limit `open_bytes`, `filter_count`, `items`, `sessions`, `subscriptions`, `values`, `limit`,
    /// `message_bytes`
    record Structural(String limit) implements LinkNote {}

    /// The relay names a limit, but nothing smaller can be asked.
    ///
    /// @param limit as in [Structural]
    record Fruitless(String limit) implements LinkNote {}

    /// The relay ended a request or a subscription for no reason that can be dealt with.
    ///
    /// @param meaning what its words were taken for
    record Refused(String meaning) implements LinkNote {}

    /// The relay says far more than it was asked.
    record Chatter() implements LinkNote {}

    /// The relay wants fewer requests.
    record RateLimited() implements LinkNote {}

    /// The relay refuses something as a matter of policy.
    record PolicyRefusal(String category) implements LinkNote {}

    /// Live filters were packed again.
    ///
    /// @param result `done`, `no_gain`, `merged`
    record Consolidated(String result, int before, int after) implements LinkNote {}

    /// Live coverage was given up, or came back: 0 none to 4 all but a wide filter (R3.24).
    record GivenUp(int before, int after) implements LinkNote {}

    /// Filters have another width.
    record Width(int before, int after) implements LinkNote {}

    /// A comparison came to an end.
    ///
    /// @param result `ok`, `blocked`, `unsupported`, `timeout`, `broken`
    record Compared(String result) implements LinkNote {}

    /// Ids of a comparison.
    ///
    /// @param kind `needed`, `excluded`, `fetched`, `phantom`
    record Ids(String kind, int count) implements LinkNote {}

    /// Events asked for after a comparison.
    ///
    /// @param phase `stream` or `recovery`
    record Hydrated(String phase, String outcome, int count) implements LinkNote {}

    /// The relay was judged.
    record Verdict(String verdict) implements LinkNote {}

    /// Authentication failed.
    record AuthenticationFailed() implements LinkNote {}

    /// The first answer of a relay about announcements is complete (R1.19).
    record AnnouncementsComplete(long accepted) implements LinkNote {}
}
