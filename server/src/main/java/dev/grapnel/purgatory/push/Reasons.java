package dev.grapnel.purgatory.push;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a refused client reads, word for word (service 6.2 to 6.7). Programs search these texts.
public final class Reasons {
    /// Most lines about differences.
    static final int LINES_MAX = 50;

    private static final int WHY_MAX = 3;
    private static final int START = 8;

    /// More refs of unknown events than may wait (service 6.4.7).
    public static final String TOO_MANY_UNMATCHED = authorisation("too many unmatched refs/nostr pushes");

    static final String NO_STATES = authorisation("No state events in purgatory");
    /// What a push was judged by is not what it was.
    public static final String CHANGED = authorisation("state changed during push, try again");
    static final String DELETES_PROPOSAL = authorisation("refs/nostr refs cannot be deleted by push");

    private Reasons() {}

    private static String authorisation(String text) {
        return "authorisation failed: " + text;
    }

    /// More bytes of unsigned uploads from one address than may wait (service 6.4.7).
    public static String addressExceeds(long bytes) {
        return authorisation(
                "unsigned uploads from your address exceed " + bytes + " bytes: publish the event, or wait");
    }

    /// More bytes of unsigned uploads than may wait (service 6.4.7).
    public static String totalExceeds(long bytes) {
        return authorisation(
                "unsigned uploads here exceed " + bytes + " bytes in total: publish the event first, or wait");
    }

    /// Service 6.2. Which names there are is not a matter of who may.
    static String outside(String ref) {
        return "ref " + ref + " is outside " + RefName.BRANCHES + ", " + RefName.TAGS + " and " + RefName.PROPOSALS;
    }

    /// Service 6.3.
    static Optional<String> standing(Standing standing, PublicKey owner) {
        return switch (standing) {
            case HOSTED -> Optional.empty();
            case READ_ONLY_ARCHIVE -> Optional.of(authorisation("this service is a read-only archive"));
            case WITHDRAWN -> Optional.of(authorisation("repository announcement no longer lists this service"));
            case UNANNOUNCED ->
                Optional.of(authorisation("No repository announcement found for owner " + new Npub(owner)));
        };
    }

    static String noMaintainers(String why) {
        return authorisation("No authorized maintainers found: " + why);
    }

    /// Service 6.4.
    static String badId(String ref) {
        return authorisation("Invalid event ID format in ref: " + ref);
    }

    static String otherKind(EventId id) {
        return authorisation("event " + id + " is not a pull request");
    }

    static String otherCommit(EventId id, String signed, Oid pushed) {
        return authorisation("PR event " + id + " specifies commit " + signed + ", but push contains " + pushed);
    }

    static String deleted(EventId id) {
        return authorisation("event " + id + " was deleted");
    }

    /// Something else was pushed for the same event (service 6.4.5).
    public static String otherPlaceholder(EventId id) {
        return authorisation("ref " + RefName.PROPOSALS + id + " already holds a different commit");
    }

    /// Service 6.5.2: git's own matter.
    static String fetchFirst(RefName ref, Oid current) {
        return "fetch first: " + ref + " is at " + start(current);
    }

    /// Service 6.6.
    static String noneAuthorised(int held, Optional<PublicKey> invited) {
        return authorisation(held + " state event(s) in purgatory but none from authorized publishers"
                + invited.map(key -> " (" + new Npub(key) + " is invited, not confirmed)")
                        .orElse(""));
    }

    static String superseded(RepositoryState by) {
        return authorisation("state event superseded by newer state " + named(by));
    }

    static String noMatch(int held, List<Difference> differences) {
        var why = differences.stream().limit(WHY_MAX).map(Difference::text).collect(Collectors.joining("; "));
        return authorisation(held + " state event(s) in purgatory from authorized publisher(s) but doesn't match push ("
                + why + ")");
    }

    /// Nothing in a push can be right then but deletions.
    static String empty(RepositoryState state) {
        return "state " + named(state) + " is empty: its author wants neither branches nor tags here";
    }

    /// What was found the second time.
    static String byNow(String reason) {
        return "by now: " + reason;
    }

    private static String named(RepositoryState state) {
        return start(state.event().id().toHex()) + " of " + state.event().createdAt();
    }

    static String start(Oid oid) {
        return start(oid.toString());
    }

    /// The first characters. A value of a state that is no object id can be any text.
    static String start(String value) {
        return value.codePoints()
                .limit(START)
                .map(c -> c > ' ' && c < 0x7f ? c : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /// As many as people read, and how many more there are.
    static List<String> lines(List<String> all) {
        return all.size() <= LINES_MAX
                ? all
                : Stream.concat(
                                all.stream().limit(LINES_MAX),
                                Stream.of("... and " + (all.size() - LINES_MAX) + " more"))
                        .toList();
    }
}
