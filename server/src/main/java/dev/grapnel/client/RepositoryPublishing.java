package dev.grapnel.client;

import dev.grapnel.client.RepositoryDrafts.Described;
import dev.grapnel.log.SafeText;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.store.tool.ToolFailure;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Signs announcement and state of a repository and publishes them.
public final class RepositoryPublishing {
    private static final int NAMED_MAX = 10;
    private static final int MAINTAINERS_MAX = 255;

    private final RelayConnection relay;
    private final ServiceUrl service;
    private final SecretKey key;
    private final SecureRandom random;
    private final InstantSource time;

    public RepositoryPublishing(
            RelayConnection relay, ServiceUrl service, SecretKey key, SecureRandom random, InstantSource time) {
        this.relay = relay;
        this.service = service;
        this.key = key;
        this.random = random;
        this.time = time;
    }

    /// What became of an event.
    ///
    /// @param event as it is now on the server
    /// @param isNew false if the server had one that says the same
    /// @param answer of the server, empty if it had nothing to add
    public record Published(Event event, boolean isNew, String answer) {}

    /// Whether refs that others have may go.
    public enum Removal {
        ALLOWED,
        REFUSED
    }

    /// Announces a repository. One that is announced already stays as it is: what its owner said about maintainers
    /// elsewhere must not be lost.
    ///
    /// @param also further servers that shall have it
    /// @throws ToolFailure with the server's reason if it does not take it
    public Published announce(Described repository, List<ServiceUrl> also) {
        var identifier = repository.identifier();
        var known = findAnnouncement(key.publicKey(), identifier);
        if (known.isPresent()) {
            return new Published(known.get().event(), false, "");
        }
        var all = Stream.concat(Stream.of(service), also.stream()).toList();
        return publish(
                "announcement",
                RepositoryDrafts.announcement(
                        repository,
                        all.stream()
                                .map(one -> one.cloneUrl(key.publicKey(), identifier))
                                .toList(),
                        all.stream().map(ServiceUrl::relayUrl).toList(),
                        now()));
    }

    /// Declares what the refs shall be.
    ///
    /// @throws ToolFailure with the server's reason if it does not take it, or if refs would go that must not
    public Published declare(PublicKey owner, Identifier identifier, LocalRefs refs, Removal removal) {
        var known = newest(relay.ask(Filter.builder()
                .kinds(Kinds.STATE)
                .authors(maintainers(owner, identifier))
                .tag('d', List.of(identifier.text()))
                .build()));
        if (known.isPresent()) {
            if (saysTheSame(known.get(), refs)) {
                return new Published(known.get().event(), false, "");
            }
            if (removal == Removal.REFUSED) {
                requireNothingRemoved(known.get(), refs);
            }
        }
        long after = known.map(state -> state.event().createdAt() + 1).orElse(0L);
        return publish("state", RepositoryDrafts.state(identifier, refs, Math.max(now(), after)));
    }

    private Optional<Announcement> findAnnouncement(PublicKey owner, Identifier identifier) {
        return relay
                .ask(Filter.builder()
                        .kinds(Kinds.ANNOUNCEMENT)
                        .authors(List.of(owner))
                        .tag('d', List.of(identifier.text()))
                        .build())
                .stream()
                .flatMap(event -> Announcement.parse(event).find().stream())
                .max(Comparator.comparing(Announcement::version));
    }

    /// Whose states may govern: a server serves none of anybody whom it does not take for a maintainer.
    private Collection<PublicKey> maintainers(PublicKey owner, Identifier identifier) {
        var listed = findAnnouncement(owner, identifier)
                .map(announcement -> announcement.roster().listed())
                .orElse(List.of());
        var all = new ArrayList<PublicKey>();
        all.add(owner);
        all.add(key.publicKey());
        listed.stream().limit(MAINTAINERS_MAX).forEach(all::add);
        return all.stream().distinct().toList();
    }

    private static Optional<RepositoryState> newest(List<Event> events) {
        return events.stream()
                .flatMap(event -> RepositoryState.parse(event).find().stream())
                .max(Comparator.comparing(RepositoryState::version));
    }

    private static boolean saysTheSame(RepositoryState state, LocalRefs refs) {
        return state.isSatisfiable()
                && state.setAside().isEmpty()
                && state.refs().equals(refs.refs())
                && state.head().equals(refs.head());
    }

    private static void requireNothingRemoved(RepositoryState state, LocalRefs refs) {
        var gone = Stream.concat(state.refs().keySet().stream(), state.unusable().keySet().stream())
                .filter(name -> !refs.refs().containsKey(name))
                .toList();
        if (!gone.isEmpty()) {
            throw new ToolFailure("this would remove for everybody what is not here: "
                    + gone.stream().limit(NAMED_MAX).map(Object::toString).collect(Collectors.joining(", "))
                    + (gone.size() > NAMED_MAX ? " and " + (gone.size() - NAMED_MAX) + " more" : "")
                    + "; fetch and check out what you want to keep, or say --prune");
        }
    }

    private Published publish(String what, EventDraft draft) {
        var event = draft.sign(key, random);
        var answer = relay.publish(event);
        var words = SafeText.of(answer.message());
        if (!answer.accepted()) {
            throw new ToolFailure("the server refused the " + what + ": " + words);
        }
        return new Published(event, true, words);
    }

    private long now() {
        return time.instant().getEpochSecond();
    }
}
