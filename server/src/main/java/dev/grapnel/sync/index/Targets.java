package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.outbound.RemoteUrl;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/// What is wanted from each relay (R2.1), by ordinals: small numbers given when something is first met and never given
/// again, but for those of repositories that only waited, after a long rest. A pair is a repository at a relay that its
/// current announcement names. Lists of roots, members and state
/// authors only grow; what is gone stays as a gap, so that how far something was asked is one number.
public interface Targets {
    /// The relay's address.
    RemoteUrl relay(int relay);

    /// The ordinal of a relay that was met.
    OptionalInt findRelay(RemoteUrl url);

    /// How many repositories name the relay.
    int pairCount(int relay);

    /// How many of them are wanted in full.
    int fullCount(int relay);

    /// Visits the pairs of a relay, ascending by repository.
    void forEachPair(int relay, IntConsumer visitor);

    /// The pair of a repository at a relay; -1 if that does not name it.
    int findPair(int relay, int repo);

    /// The repository of a pair.
    int repo(int pair);

    /// The relay of a pair.
    int relayOf(int pair);

    /// Whether an event is, or refers to, something that is wanted of a relay: a state of a repository there, or a tag
    /// with a repository, a state, a root or a member of a thread that is followed at that relay.
    boolean touches(int relay, Event event);

    /// The marks of pairs.
    PairMarks marks();

    /// How much of a repository is wanted.
    Level level(int repo);

    /// `30617:<owner>:<identifier>`.
    String reference(int repo);

    /// Its identifier.
    String identifier(int repo);

    /// Visits all repositories with the same identifier, this one included, ascending.
    void forEachNamesake(int repo, IntConsumer visitor);

    /// Whether one of them is meant; they are looked at in order until one is.
    boolean hasAnyNamesake(int repo, IntPredicate isMeant);

    /// Length of the list of state addresses of a repository, gaps included (R3.2a).
    int addressCount(int repo);

    /// An entry of that list; empty if it is gone.
    Optional<String> address(int repo, int place);

    /// Whose states that entry stands for, by ordinal; -1 if it is gone.
    int addressAuthor(int repo, int place);

    /// Length of the list of roots of a repository, gaps included.
    int rootCount(int repo);

    /// An entry of that list: the root's ordinal; -1 if it is gone.
    int root(int repo, int place);

    /// The same, but for its thread: what is below a root that is gone stays (R1.13), so that one is not -1.
    int threadAt(int repo, int place);

    /// The id of a root.
    EventId rootId(int root);

    /// Whether a relay is asked for a root through this pair (R8.2): no pair of the relay with a lower repository that
    /// is wanted in full has it, too.
    boolean asksFor(int pair, int root);

    /// The same for the thread of a root, which may be gone.
    boolean asksForThread(int pair, int root);

    /// Visits the repositories that have a root, or had it before it was gone, ascending.
    void forEachRepoOf(int root, IntConsumer visitor);

    /// Whether one of them is meant; they are looked at in order until one is.
    boolean hasAnyRepo(int root, IntPredicate isMeant);

    /// Visits the roots that something happened to last, the last one first; some thousands at most.
    void forEachRecentRoot(IntConsumer visitor);

    /// Length of the list of thread members of a root, gaps included (R3.22).
    int memberCount(int root);

    /// An entry of that list: the member's ordinal; -1 if it is gone or not followed.
    int member(int root, int place);

    /// Visits the roots that a member stands below; the same one more than once if it is there in several ways.
    void forEachThreadOf(int member, IntConsumer visitor);

    /// Whether one of them is meant; they are looked at until one is.
    boolean hasAnyThread(int member, IntPredicate isMeant);

    /// The id of a member.
    EventId memberId(int member);

    /// The address of a member that has one.
    Optional<String> memberAddress(int member);
}
