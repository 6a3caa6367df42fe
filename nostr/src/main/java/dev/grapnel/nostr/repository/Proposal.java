package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A pull request or an update of one (service 4.6): proposes a commit, which is pushed to `refs/nostr/<id>`.
public sealed interface Proposal permits PullRequest, PullRequestUpdate {
    /// The event it was read from.
    Event event();

    /// The proposed commit as written: 40 or 64 hex digits.
    default String commit() {
        return event().tags().findValue("c").orElseThrow();
    }

    /// The proposed commit, if it can ever be here.
    default Optional<Oid> tip() {
        return Oid.parse(commit()).find();
    }

    /// The ref its commit is pushed to.
    default RefName ref() {
        return new RefName(RefName.PROPOSALS + event().id());
    }

    /// Repositories it names, selected maintainer first. If there are none, those of the pull request among
    /// [#references] count.
    default List<RepositoryAddress> repositories() {
        return RepositoryAddress.namedBy(event());
    }

    /// Events it refers to: `E` before `e`, each once.
    default List<EventId> references() {
        return Stream.of("E", "e")
                .flatMap(name -> event().tags().values(name).stream())
                .flatMap(value -> EventId.parse(value).find().stream())
                .distinct()
                .toList();
    }

    /// Where the commit can be fetched, as written.
    default List<String> cloneUrls() {
        return Views.allValues(event().tags(), "clone");
    }

    /// The commit it shares with the target branch, as written; display only.
    default Optional<String> mergeBase() {
        return event().tags().findValue("merge-base");
    }
}
