package dev.grapnel.nostr.fuzz;

import static dev.grapnel.nostr.fuzz.Oracle.require;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.AnnouncementPool;
import dev.grapnel.nostr.repository.GraspList;
import dev.grapnel.nostr.repository.Issue;
import dev.grapnel.nostr.repository.ListsService;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.nostr.repository.Patch;
import dev.grapnel.nostr.repository.PullRequest;
import dev.grapnel.nostr.repository.PullRequestUpdate;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.nostr.repository.Status;
import dev.grapnel.nostr.url.ServiceAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads events as NIP-34 means them. The first byte chooses the kind, then each line is a tag whose elements are
/// parted
/// by tabs.
public final class RepositoryFuzz {
    private static final String AUTHOR = "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9";
    private static final EventReader READER = new EventReader(EventLimits.DEFAULTS);
    private static final ServiceAddress SERVICE =
            ServiceAddress.parse("git.example.com", "/").require();

    private static final int[] KINDS = {
        Kinds.ANNOUNCEMENT,
        Kinds.STATE,
        Kinds.PATCH,
        Kinds.PULL_REQUEST,
        Kinds.PULL_REQUEST_UPDATE,
        Kinds.ISSUE,
        Kinds.STATUS_OPEN,
        Kinds.STATUS_APPLIED,
        Kinds.STATUS_CLOSED,
        Kinds.STATUS_DRAFT,
        Kinds.GRASP_LIST,
        1
    };

    private RepositoryFuzz() {}

    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0) {
            return;
        }
        int kind = KINDS[(data[0] & 0xff) % KINDS.length];
        var lines = new String(data, 1, data.length - 1, StandardCharsets.UTF_8);
        var tags = new ArrayList<List<String>>();
        lines.lines().forEach(line -> tags.add(List.of(line.split("\t", -1))));
        look(event(kind, tags));
    }

    private static void look(Event event) {
        if (Announcement.parse(event) instanceof Parsed.Valid<Announcement>(var announcement)) {
            look(announcement);
        }
        if (RepositoryState.parse(event) instanceof Parsed.Valid<RepositoryState>(var state)) {
            look(state);
        }
        if (Patch.parse(event) instanceof Parsed.Valid<Patch>(var patch)) {
            use(patch.repositories(), patch.isRoot(), patch.isRevision(), patch.commit());
        }
        if (PullRequest.parse(event) instanceof Parsed.Valid<PullRequest>(var request)) {
            use(request.subject(), request.branchName(), request.toString());
        }
        if (PullRequestUpdate.parse(event) instanceof Parsed.Valid<PullRequestUpdate>(var update)) {
            use(update.toString());
        }
        if (Issue.parse(event) instanceof Parsed.Valid<Issue>(var issue)) {
            use(issue.repositories(), issue.subject(), issue.topics());
        }
        if (Status.parse(event) instanceof Parsed.Valid<Status>(var status)) {
            use(status.target(), status.repositories(), status.meaning());
        }
        if (GraspList.parse(event) instanceof Parsed.Valid<GraspList>(var list)) {
            use(list.servers());
        }
    }

    private static void look(Announcement announcement) {
        use(
                announcement.address(),
                announcement.cloneUrls(),
                announcement.relays(),
                announcement.webUrls(),
                announcement.name(),
                announcement.description(),
                announcement.earliestUniqueCommit(),
                announcement.topics(),
                announcement.isPrivate(),
                announcement.maintainers(),
                announcement.roleRecords(),
                ListsService.judge(announcement, SERVICE));
        var pool = AnnouncementPool.of(announcement.identifier(), List.of(announcement));
        for (var model : MaintainerModel.values()) {
            var maintainers = Maintainers.of(announcement.owner(), pool, model);
            use(maintainers.root(), maintainers.failure(), maintainers.isEmpty());
        }
    }

    private static void look(RepositoryState state) {
        use(state.head(), state.isSatisfiable(), state.isEmpty(), state.version());
        state.refs().keySet().forEach(ref -> require(state.declares(ref), "a ref it has but does not declare"));
        require(state.defaultBranch().isBranch(), "the default branch is no branch");
    }

    /// Whatever is asked has an answer, and that one can be printed.
    private static void use(Object... answers) {
        for (var answer : answers) {
            require(!answer.toString().isEmpty(), "no text");
        }
    }

    private static Event event(int kind, List<List<String>> tags) {
        var id = Oracle.hash(AUTHOR, 1_700_000_000, kind, tags, "");
        var json = "{\"id\":\"" + id + "\",\"pubkey\":\"" + AUTHOR + "\",\"created_at\":1700000000,\"kind\":" + kind
                + ",\"tags\":" + Oracle.canonicalTags(tags) + ",\"content\":\"\",\"sig\":\"" + "0".repeat(128) + "\"}";
        if (READER.read(json.getBytes(StandardCharsets.UTF_8)) instanceof ParsedEvent.Valid(var event)) {
            return event;
        }
        throw new AssertionError("the event is refused: " + json);
    }
}
