package dev.grapnel.bench;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Kinds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Writes each kind of event as ngit and gitworkshop write it, of the sizes relay 7.1 names. Who, when and
/// about what is decided by [Chronicle].
final class Composer {
    static final int NOTE = 1;
    static final int REACTION = 7;
    static final int COVER_NOTE = 1624;
    static final int LABEL = 1985;

    private static final List<String> LABELS =
            List.of("bug", "enhancement", "documentation", "question", "good-first-issue", "wontfix", "security");
    private static final List<Bytes> REACTIONS = Stream.of("+", "+", "+", "-", "👍", "🎉")
            .map(text -> Bytes.wrap(text.getBytes(StandardCharsets.UTF_8)))
            .toList();
    private static final int BRANCHES_PER_TAG = 3;

    private final Chance chance;
    private final Wording wording = Wording.shared();
    private final EventWriter events = new EventWriter();

    Composer(Chance chance) {
        this.chance = chance;
    }

    Wording wording() {
        return wording;
    }

    UnsignedEvent profile(Person person, long date) {
        var name = wording.word(chance) + chance.below(1000);
        return events.begin(person, date, Kinds.PROFILE)
                .end("{\\\"name\\\":\\\"" + name + "\\\",\\\"nip05\\\":\\\"" + name
                        + "@example.com\\\",\\\"picture\\\":\\\"https://images.example.com/" + chance.oid()
                        + ".jpg\\\",\\\"about\\\":\\\"" + wording.words(chance, chance.length(20, 900)) + "\\\"}");
    }

    UnsignedEvent relayList(Person person, long date, List<String> servers) {
        var event = events.begin(person, date, Kinds.RELAY_LIST);
        for (var server : servers) {
            if (chance.percent(70)) {
                event.tag("r", "wss://" + server + "/");
            } else {
                event.tag("r", "wss://" + server + "/", chance.percent(50) ? "read" : "write");
            }
        }
        return event.end();
    }

    UnsignedEvent graspList(Person person, long date, List<String> servers) {
        var event = events.begin(person, date, Kinds.GRASP_LIST);
        servers.forEach(server -> event.tag("g", "wss://" + server));
        return event.end();
    }

    UnsignedEvent announcement(Project project, long date) {
        var origin = project.origin();
        var event = events.begin(project.owner(), date, Kinds.ANNOUNCEMENT)
                .tag("d", origin.identifier())
                .tag("r", origin.firstCommit(), "euc")
                .tag("name", origin.identifier())
                .tag("description", wording.prose(chance, chance.length(60, 900)))
                .tag("web", "https://gitworkshop.example.com/" + project.owner().npub() + "/" + origin.identifier())
                .tag("clone", project.cloneUrls().toArray(String[]::new))
                .tag("relays", urls("wss://", origin.servers()));
        if (!origin.maintainers().isEmpty()) {
            event.tag(
                    "maintainers",
                    origin.maintainers().stream().map(Person::hex).toArray(String[]::new));
        }
        origin.upstream().ifPresent(upstream -> event.tag("u", upstream.coordinate()));
        for (int i = chance.below(4); i > 0; i--) {
            event.tag("t", wording.word(chance));
        }
        return event.tag("alt", "git repository: " + origin.identifier()).end();
    }

    /// The state after so many pushes: the main branch moves with each, the others less and less often.
    UnsignedEvent state(Project project, long date) {
        var origin = project.origin();
        long number = origin.firstCommit().hashCode();
        var event = events.begin(project.owner(), date, Kinds.STATE).tag("d", origin.identifier());
        event.tag("refs/heads/main", Chance.oid(Chance.mix(number, project.pushes())));
        for (int ref = 1; ref < origin.refs(); ref++) {
            int moves = project.pushes() >> (1 + ref % 6);
            event.tag(refName(number, ref), Chance.oid(Chance.mix(number + ref, moves)));
        }
        return event.tag("HEAD", "ref: refs/heads/main").end();
    }

    private String refName(long project, int ref) {
        var topic = wording.word(project + ref / 20) + "/";
        return ref % BRANCHES_PER_TAG == 0
                ? "refs/tags/" + topic + "v" + ref / 100 + "." + ref % 100 + ".0"
                : "refs/heads/" + topic + ref + "-" + wording.word(Chance.mix(project, ref)) + "-"
                        + wording.word(Chance.mix(project, ref + 1)) + "-" + wording.word(Chance.mix(project, ref + 2));
    }

    UnsignedEvent issue(Project project, Person author, long date) {
        var event = about(project, author, date, Kinds.ISSUE).tag("subject", wording.title(chance));
        for (int i = chance.below(3); i > 0; i--) {
            event.tag("t", chance.pickSkewed(LABELS));
        }
        return event.end(wording.prose(chance, chance.length(100, 2500)));
    }

    UnsignedEvent pullRequest(Project project, Person author, long date) {
        var event = about(project, author, date, Kinds.PULL_REQUEST)
                .tag("subject", wording.title(chance))
                .tag("branch-name", wording.word(chance) + "-" + wording.word(chance));
        return proposal(project, event).end(wording.prose(chance, chance.length(100, 2000)));
    }

    UnsignedEvent update(Topic request, long date) {
        var opening = request.opening();
        var event = about(request.project(), opening.author(), date, Kinds.PULL_REQUEST_UPDATE)
                .tag("E", opening.hex(), request.project().relay())
                .tag("P", opening.author().hex());
        return proposal(request.project(), event).end();
    }

    private EventWriter.Sheet proposal(Project project, EventWriter.Sheet event) {
        return event.tag("c", chance.oid())
                .tag("clone", project.cloneUrls().toArray(String[]::new))
                .tag("merge-base", chance.oid());
    }

    /// A patch; one of a series names its first.
    UnsignedEvent patch(Project project, Person author, long date, Optional<Topic> first) {
        var commit = chance.oid();
        var event = about(project, author, date, Kinds.PATCH)
                .tag("commit", commit)
                .tag("r", commit)
                .tag("parent-commit", chance.oid())
                .tag("committer", "Somebody", "somebody@example.com", Long.toString(date), "0");
        first.ifPresentOrElse(
                topic -> event.tag("e", topic.opening().hex(), project.relay(), "root"), () -> event.tag("t", "root"));
        return event.end(
                "From " + commit + " Mon Sep 17 00:00:00 2001\\nFrom: Somebody <somebody@example.com>\\nDate: Thu, 1 "
                        + "Jan 2026 00:00:00 +0000\\nSubject: [PATCH] " + wording.title(chance) + "\\n\\n---\\n",
                wording.diff(chance, patchLength()),
                "-- \\n2.50.0\\n");
    }

    private int patchLength() {
        int lot = chance.below(100);
        if (lot < 93) {
            return chance.between(900, 6200);
        }
        return lot < 98 ? chance.between(6200, 20_000) : chance.between(20_000, 58_000);
    }

    /// A status says `kind` and is mostly written by who works on the repository.
    UnsignedEvent status(Topic topic, Person author, long date, int kind) {
        var project = topic.project();
        var event = events.begin(author, date, kind)
                .tag("e", topic.opening().hex(), "", "root")
                .tag("p", project.owner().hex())
                .tag("p", topic.opening().author().hex());
        project.coordinates().forEach(coordinate -> event.tag("a", coordinate, project.relay()));
        event.tag("r", project.origin().firstCommit());
        if (kind == Kinds.STATUS_APPLIED) {
            event.tag("merge-commit", chance.oid());
        }
        return event.end();
    }

    /// NIP-22: upper case names the root, lower case what is answered.
    UnsignedEvent comment(Topic topic, Person author, long date, Optional<Past> quoted) {
        var relay = topic.project().relay();
        var root = topic.opening();
        var parent = topic.last();
        var event = events.begin(author, date, Kinds.COMMENT)
                .tag("E", root.hex(), relay, root.author().hex())
                .tag("K", Integer.toString(root.kind()))
                .tag("P", root.author().hex(), relay)
                .tag("e", parent.hex(), relay, parent.author().hex())
                .tag("k", Integer.toString(parent.kind()))
                .tag("p", parent.author().hex(), relay);
        quoted.ifPresent(
                quote -> event.tag("q", quote.hex(), relay, quote.author().hex()));
        return event.end(wording.prose(chance, chance.length(20, 1200)));
    }

    /// A comment on a repository as such.
    UnsignedEvent comment(Project project, Person author, long date) {
        var kind = Integer.toString(Kinds.ANNOUNCEMENT);
        var owner = project.owner().hex();
        return events.begin(author, date, Kinds.COMMENT)
                .tag("A", project.coordinate(), project.relay())
                .tag("K", kind)
                .tag("P", owner, project.relay())
                .tag("a", project.coordinate(), project.relay())
                .tag("k", kind)
                .tag("p", owner, project.relay())
                .end(wording.prose(chance, chance.length(20, 1200)));
    }

    UnsignedEvent coverNote(Topic topic, Person author, long date) {
        return about(topic.project(), author, date, COVER_NOTE)
                .tag("e", topic.opening().hex(), topic.project().relay(), "root")
                .end(wording.prose(chance, chance.length(50, 1500)));
    }

    UnsignedEvent reaction(Topic topic, Person author, long date) {
        var liked = topic.last();
        return events.begin(author, date, REACTION)
                .tag("e", liked.hex(), topic.project().relay(), liked.author().hex())
                .tag("p", liked.author().hex())
                .tag("k", Integer.toString(liked.kind()))
                .end(chance.pick(REACTIONS));
    }

    UnsignedEvent label(Topic topic, Person author, long date) {
        return events.begin(author, date, LABEL)
                .tag("L", "#t")
                .tag("l", chance.pickSkewed(LABELS), "#t")
                .tag("e", topic.opening().hex(), topic.project().relay())
                .tag("p", topic.opening().author().hex())
                .end();
    }

    UnsignedEvent note(Topic topic, Person author, long date) {
        return events.begin(author, date, NOTE)
                .tag(
                        "q",
                        topic.opening().hex(),
                        topic.project().relay(),
                        topic.opening().author().hex())
                .tag("p", topic.opening().author().hex())
                .end(wording.prose(chance, chance.length(40, 800)));
    }

    UnsignedEvent deletion(Person author, long date, Past unwanted) {
        return events.begin(author, date, Kinds.DELETION)
                .tag("e", unwanted.hex())
                .tag("k", Integer.toString(unwanted.kind()))
                .end(wording.title(chance));
    }

    /// Deletes all states of a repository so far.
    UnsignedEvent deletionOfState(Project project, long date) {
        return events.begin(project.owner(), date, Kinds.DELETION)
                .tag("a", Kinds.STATE + project.coordinate().substring(5))
                .tag("k", Integer.toString(Kinds.STATE))
                .end();
    }

    private EventWriter.Sheet about(Project project, Person author, long date, int kind) {
        var event = events.begin(author, date, kind);
        project.coordinates().forEach(coordinate -> event.tag("a", coordinate));
        return event.tag("r", project.origin().firstCommit())
                .tag("p", project.owner().hex());
    }

    private static String[] urls(String scheme, List<String> servers) {
        return servers.stream().map(server -> scheme + server).toArray(String[]::new);
    }
}
