package dev.grapnel.bench;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A repository and what is going on in it. Old topics are forgotten, so its size is bounded.
final class Project {
    private static final int TOPICS_MAX = 8;
    private static final int COPIES_MAX = 20;

    private final Origin origin;
    private final String coordinate;
    private final List<String> cloneUrls;
    private final Ring<Topic> topics = new Ring<>(TOPICS_MAX);
    private final Set<Person> copiedBy = new HashSet<>();
    private @Nullable Topic favourite;
    private int pushes;
    private long pushedAt;

    /// What stays as it was in the beginning.
    ///
    /// @param servers host names, best first
    /// @param upstream what it is a copy of
    /// @param refs how many branches and tags it has
    record Origin(
            Person owner,
            String identifier,
            String firstCommit,
            List<Person> maintainers,
            List<String> servers,
            Optional<Project> upstream,
            int refs,
            long createdAt) {
        Origin {
            maintainers = List.copyOf(maintainers);
            servers = List.copyOf(servers);
        }
    }

    Project(Origin origin) {
        this.origin = origin;
        this.coordinate = address().toString();
        var path = "/" + owner().npub() + "/" + origin.identifier() + ".git";
        this.cloneUrls = origin.servers().stream()
                .map(server -> "https://" + server + path)
                .toList();
        this.pushedAt = origin.createdAt();
    }

    Origin origin() {
        return origin;
    }

    Person owner() {
        return origin.owner();
    }

    RepositoryAddress address() {
        return new RepositoryAddress(owner().publicKey(), new Identifier(origin.identifier()));
    }

    /// The address as it stands in tags.
    String coordinate() {
        return coordinate;
    }

    /// Coordinates of this repository and of the one its owner maintains with others.
    List<String> coordinates() {
        return origin.upstream()
                .filter(upstream -> upstream.origin().maintainers().contains(owner()))
                .map(upstream -> List.of(coordinate, upstream.coordinate()))
                .orElseGet(() -> List.of(coordinate));
    }

    /// A hint where to ask.
    String relay() {
        return "wss://" + origin.servers().getFirst();
    }

    List<String> cloneUrls() {
        return cloneUrls;
    }

    /// The owner and everybody the owner lists.
    List<Person> members() {
        return Stream.concat(Stream.of(owner()), origin.maintainers().stream()).toList();
    }

    /// Whether this person may copy it: once each, and only so many.
    boolean admitCopyBy(Person person) {
        return !person.equals(owner()) && copiedBy.size() < COPIES_MAX && copiedBy.add(person);
    }

    Ring<Topic> topics() {
        return topics;
    }

    /// The topic that is talked about most.
    Optional<Topic> favourite() {
        return Optional.ofNullable(favourite);
    }

    void favour(Topic topic) {
        favourite = topic;
    }

    /// How often something was pushed.
    int pushes() {
        return pushes;
    }

    long pushedAt() {
        return pushedAt;
    }

    void push(long createdAt) {
        pushes++;
        pushedAt = Math.max(pushedAt, createdAt);
    }
}
