package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import java.util.List;
import java.util.Optional;

/// A repository announcement, kind 30617 (service 4.4.1): that a repository exists, where it is, who
/// maintains it.
///
/// What decides is read once; what is only shown is read from the event when asked for.
public final class Announcement {
    private final Event event;
    private final Identifier identifier;
    private final Roster roster;

    private Announcement(Event event, Identifier identifier) {
        this.event = event;
        this.identifier = identifier;
        this.roster = Roster.of(event.author(), roleRecords(), maintainers());
    }

    /// Reads an event. A malformed role record or maintainer is never a reason to refuse it.
    public static Parsed<Announcement> parse(Event event) {
        if (event.kind() != Kinds.ANNOUNCEMENT) {
            return Parsed.invalid(Views.wrongKind(event, "a repository announcement"));
        }
        return Identifier.of(event)
                .then(identifier -> event.tags().named("clone").limit(2).count() > 1
                        ? Parsed.invalid("multiple clone tags found, use one clone tag with several values")
                        : Parsed.valid(new Announcement(event, identifier)));
    }

    /// The event it was read from.
    public Event event() {
        return event;
    }

    /// Its author.
    public PublicKey owner() {
        return event.author();
    }

    /// What the owner calls the repository.
    public Identifier identifier() {
        return identifier;
    }

    /// The repository.
    public RepositoryAddress address() {
        return new RepositoryAddress(owner(), identifier);
    }

    /// Its place among other versions.
    public Version version() {
        return event.version();
    }

    /// Whom it names.
    public Roster roster() {
        return roster;
    }

    /// Where git finds it, as written.
    public List<String> cloneUrls() {
        return Views.allValues(event.tags(), "clone");
    }

    /// Relays that watch it, as written, each once.
    public List<String> relays() {
        return Views.allValues(event.tags(), "relays").stream().distinct().toList();
    }

    /// Pages about it, as written.
    public List<String> webUrls() {
        return Views.allValues(event.tags(), "web");
    }

    /// A name for people.
    public Optional<String> name() {
        return event.tags().findValue("name");
    }

    /// A text for people.
    public Optional<String> description() {
        return event.tags().findValue("description");
    }

    /// The earliest unique commit, which groups copies of one project; it grants nothing.
    public Optional<String> earliestUniqueCommit() {
        return event.tags()
                .named("r")
                .filter(tag -> tag.size() > 2 && tag.element(2).equals("euc"))
                .findFirst()
                .map(tag -> tag.element(1));
    }

    /// Topics.
    public List<String> topics() {
        return event.tags().values("t");
    }

    /// Whether it belongs on private services only.
    public boolean isPrivate() {
        return event.tags().values("private").contains("true");
    }

    /// All role records with their history.
    public List<RoleRecord> roleRecords() {
        return RoleRecord.of(event.tags());
    }

    /// Values of `maintainers` as written; they count only if there is no role record.
    public List<String> maintainers() {
        return Views.allValues(event.tags(), "maintainers");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Announcement that && event.equals(that.event);
    }

    @Override
    public int hashCode() {
        return event.hashCode();
    }

    /// Coordinate and id.
    @Override
    public String toString() {
        return "Announcement(" + address() + ", " + event.id() + ")";
    }
}
