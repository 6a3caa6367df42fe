package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.Tag;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What became of a patch, proposal or issue: kinds 1630 to 1633.
public record Status(Event event, Meaning meaning) {
    /// What a status says, by its kind.
    public enum Meaning {
        OPEN(Kinds.STATUS_OPEN),
        /// Applied or merged; of an issue: resolved.
        APPLIED(Kinds.STATUS_APPLIED),
        CLOSED(Kinds.STATUS_CLOSED),
        DRAFT(Kinds.STATUS_DRAFT);

        private final int kind;

        Meaning(int kind) {
            this.kind = kind;
        }

        /// The kind of event that says so.
        public int kind() {
            return kind;
        }
    }

    /// @throws IllegalArgumentException if the event says something else
    public Status {
        if (event.kind() != meaning.kind()) {
            throw new IllegalArgumentException(Views.wrongKind(event, "status " + meaning));
        }
    }

    /// Reads an event.
    public static Parsed<Status> parse(Event event) {
        for (var meaning : Meaning.values()) {
            if (event.kind() == meaning.kind()) {
                return Parsed.valid(new Status(event, meaning));
            }
        }
        return Parsed.invalid(Views.wrongKind(event, "a status"));
    }

    /// What it is about: the `e` tag marked `root`, for want of one the first.
    public Optional<EventId> target() {
        return findReference(Status::isMarkedRoot).or(() -> findReference(_ -> true));
    }

    /// Repositories it names.
    public List<RepositoryAddress> repositories() {
        return RepositoryAddress.namedBy(event);
    }

    private Optional<EventId> findReference(Predicate<Tag> wanted) {
        return event.tags()
                .named("e")
                .filter(wanted)
                .flatMap(tag -> tag.value().stream())
                .flatMap(value -> EventId.parse(value).find().stream())
                .findFirst();
    }

    private static boolean isMarkedRoot(Tag tag) {
        return tag.size() > 3 && tag.element(3).equals("root");
    }
}
