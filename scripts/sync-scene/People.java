import dev.grapnel.client.KeyFile;
import dev.grapnel.client.RelayConnection;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.nip19.Npub;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// What people do who talk about a repository, and what a relay has of it. For the scripts of sync, with the jars of the
/// program on the class path; a repository is named by the key file of its owner and its identifier:
///
/// - `talk <relay> <key file> <identifier> <words> [<times>]` publishes an issue, a comment and an answer to that, each
///   time dated a second later, the last now.
/// - `state <relay> <key file> <identifier> <commit>` publishes a state with that as its main branch.
/// - `offer <relay> <key file> <identifier> <commit> <clone URL>` publishes a pull request and prints its id.
/// - `announce <relay> <key file> <identifier> <server's domain>... -- <relay>...` publishes an announcement that names
///   servers and further relays, and prints nothing.
/// - `same <key file> <identifier> <relay>...` prints how many events of the repository each relay has, and fails if they
///   are not the same.
private static final Duration PATIENCE = Duration.ofSeconds(60);

private static final SecureRandom RANDOM = new SecureRandom();

void main(String[] arguments) {
    var rest = List.of(arguments).subList(1, arguments.length);
    switch (arguments[0]) {
        case "talk" -> talk(rest.get(0), KeyFile.require(rest.get(1)), rest.get(2), rest.subList(3, rest.size()));
        case "state" -> state(rest.get(0), KeyFile.require(rest.get(1)), rest.get(2), rest.get(3));
        case "offer" -> offer(rest.get(0), KeyFile.require(rest.get(1)), rest.get(2), rest.get(3), rest.get(4));
        case "announce" -> announce(rest.get(0), KeyFile.require(rest.get(1)), rest.get(2), rest.subList(3, rest.size()));
        case "same" -> compare(KeyFile.require(rest.get(0)), rest.get(1), rest.subList(2, rest.size()));
        default -> throw new IllegalArgumentException("talk, offer, announce, state or same");
    }
}

private static String coordinate(SecretKey owner, String identifier) {
    return Kinds.ANNOUNCEMENT + ":" + owner.publicKey() + ":" + identifier;
}

private static Event sign(SecretKey key, long at, int kind, List<List<String>> tags, String content) {
    return new EventDraft(at, kind, tags, content).sign(key, RANDOM);
}

/// By somebody whom nobody knows.
private static Event sign(long at, int kind, List<List<String>> tags, String content) {
    return sign(SecretKey.generate(RANDOM), at, kind, tags, content);
}

private static long now() {
    return Instant.now().getEpochSecond();
}

private static void publish(String relay, List<Event> events) {
    try (var connection = RelayConnection.open(relay, PATIENCE)) {
        for (var event : events) {
            var answer = connection.publish(event);
            if (!answer.accepted()) {
                throw new IllegalStateException("refused: " + answer.message());
            }
        }
    }
}

private static void talk(String relay, SecretKey owner, String identifier, List<String> words) {
    int times = words.size() > 1 ? Integer.parseInt(words.get(1)) : 1;
    var events = new ArrayList<Event>();
    for (long at = now() - times + 1; at <= now() && events.size() < 3 * times; at++) {
        var issue = sign(at, Kinds.ISSUE, List.of(List.of("a", coordinate(owner, identifier))), words.getFirst());
        var comment = comment(at, issue, issue);
        events.addAll(List.of(issue, comment, comment(at, issue, comment)));
    }
    publish(relay, events);
}

private static Event comment(long at, Event root, Event parent) {
    return sign(
            at,
            Kinds.COMMENT,
            List.of(List.of("E", root.id().toString()), List.of("e", parent.id().toString())),
            "Indeed.");
}

private static void offer(String relay, SecretKey owner, String identifier, String commit, String clone) {
    var proposal = sign(
            now(),
            Kinds.PULL_REQUEST,
            List.of(List.of("a", coordinate(owner, identifier)), List.of("c", commit), List.of("clone", clone)),
            "Please take it.");
    publish(relay, List.of(proposal));
    IO.println(proposal.id());
}

private static void announce(String relay, SecretKey owner, String identifier, List<String> places) {
    int end = places.indexOf("--");
    var clone = new ArrayList<>(List.of("clone"));
    var relays = new ArrayList<>(List.of("relays"));
    for (var domain : places.subList(0, end)) {
        clone.add("http:" + "//" + domain + "/" + new Npub(owner.publicKey()) + "/" + identifier + ".git");
        relays.add("ws://" + domain);
    }
    relays.addAll(places.subList(end + 1, places.size()));
    var tags = List.of(List.of("d", identifier), clone, relays);
    publish(relay, List.of(sign(owner, now(), Kinds.ANNOUNCEMENT, tags, "")));
}

private static void state(String relay, SecretKey owner, String identifier, String commit) {
    var tags = List.of(
            List.of("d", identifier), List.of("refs/heads/main", commit), List.of("HEAD", "ref: refs/heads/main"));
    publish(relay, List.of(sign(owner, now(), Kinds.STATE, tags, "")));
}

// ---- what relays have

private static void compare(SecretKey owner, String identifier, List<String> relays) {
    var sets = new TreeSet<String>();
    for (var relay : relays) {
        try (var connection = RelayConnection.open(relay, PATIENCE)) {
            var found = all(connection, owner, identifier);
            IO.println(identifier + " at " + relay + ": " + found.size() + " events");
            sets.add(found.toString());
        }
    }
    if (sets.size() != 1) {
        IO.println("they differ");
        System.exit(1);
    }
}

/// The announcement and states, what names the repository, what names that, and so on.
private static Collection<String> all(RelayConnection relay, SecretKey owner, String identifier) {
    var found = new TreeMap<String, Event>();
    var own = List.of(Filter.builder()
            .kinds(Kinds.ANNOUNCEMENT, Kinds.STATE)
            .authors(List.of(owner.publicKey()))
            .tag('d', List.of(identifier))
            .build());
    var next = add(relay, own, found);
    next.addAll(add(relay, tagged("aAq", List.of(coordinate(owner, identifier))), found));
    while (!next.isEmpty()) {
        next = add(relay, tagged("eEq", next), found);
    }
    return found.keySet();
}

private static List<Filter> tagged(String letters, Collection<String> values) {
    return letters.chars()
            .mapToObj(letter -> Filter.builder().tag((char) letter, values).build())
            .toList();
}

/// Reads to the end, whatever a relay tells at once.
///
/// @return ids that are new
private static List<String> add(RelayConnection relay, List<Filter> filters, TreeMap<String, Event> found) {
    var added = new ArrayList<String>();
    for (var filter : filters) {
        long until = Long.MAX_VALUE;
        for (var page = relay.ask(filter); !page.isEmpty(); page = relay.ask(before(filter, until))) {
            for (var event : page) {
                if (found.put(event.id().toString(), event) == null) {
                    added.add(event.id().toString());
                }
            }
            long oldest = page.stream().mapToLong(Event::createdAt).min().orElseThrow();
            until = oldest < until ? oldest : oldest - 1;
        }
    }
    return added;
}

private static Filter before(Filter filter, long until) {
    return filter.toBuilder().until(until).build();
}
