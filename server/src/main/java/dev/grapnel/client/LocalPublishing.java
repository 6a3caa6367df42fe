package dev.grapnel.client;

import dev.grapnel.client.RepositoryDrafts.Described;
import dev.grapnel.client.RepositoryPublishing.Published;
import dev.grapnel.client.RepositoryPublishing.Removal;
import dev.grapnel.log.SafeText;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.store.tool.ToolFailure;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Publishes a repository on the user's disk: the order of things, and what is in the way.
public final class LocalPublishing {
    private final LocalRepository local;
    private final SecretKey key;
    private final SecureRandom random;
    private final InstantSource time;

    public LocalPublishing(LocalRepository local, SecretKey key, SecureRandom random, InstantSource time) {
        this.local = local;
        this.key = key;
        this.random = random;
        this.time = time;
    }

    /// What was done and what is to be done.
    ///
    /// @param announcement nothing if only a state was published
    /// @param remote name or address to push to
    /// @param pushed what to push
    /// @param cloneUrl where git finds it, and people its page
    /// @param told further servers
    public record Report(
            Optional<Published> announcement,
            Published state,
            String remote,
            List<String> pushed,
            String cloneUrl,
            List<Told> told) {
        public Report {
            pushed = List.copyOf(pushed);
            told = List.copyOf(told);
        }

        /// Whether the server waits for objects: whatever it has all objects of it serves at once.
        public boolean isPushDue() {
            return state.isNew() && !state.answer().isEmpty();
        }
    }

    /// A server that was told of the same events.
    ///
    /// @param problem why it did not take one of them
    public record Told(String relayUrl, Optional<String> problem) {}

    /// Announces the repository, declares its refs, names the remote.
    ///
    /// @param also further servers that shall have it; they fetch what is pushed to the first
    /// @throws ToolFailure with a sentence about what is in the way
    public Report init(
            String server,
            List<String> also,
            Optional<String> identifier,
            Optional<String> description,
            String remote,
            Duration patience) {
        var refs = local.refs();
        var service = service(server);
        var others = also.stream().map(LocalPublishing::service).toList();
        var name = identifier.orElseGet(local::name);
        var called = require(
                "the repository cannot be called '" + name + "', choose with --identifier: ", Identifier.parse(name));
        try (var relay = RelayConnection.open(service.relayUrl(), patience)) {
            var publishing = new RepositoryPublishing(relay, service, key, random, time);
            var announced = publishing.announce(new Described(called, description, local.findFirstCommit()), others);
            var declared = publishing.declare(key.publicKey(), called, refs, Removal.REFUSED);
            var repository = new ServiceUrl.Repository(service, key.publicKey(), called);
            var told = others.stream()
                    .map(other -> tell(other, List.of(announced.event(), declared.event()), patience))
                    .toList();
            return report(
                    Optional.of(announced), declared, repository, remote(remote, repository.cloneUrl()), refs, told);
        }
    }

    private static ServiceUrl service(String text) {
        return require("the server's address '" + text + "' is of no use: ", ServiceUrl.parse(text));
    }

    /// One that is not there now does not undo what the first has taken.
    private static Told tell(ServiceUrl other, List<Event> events, Duration patience) {
        try (var relay = RelayConnection.open(other.relayUrl(), patience)) {
            for (var event : events) {
                var answer = relay.publish(event);
                if (!answer.accepted()) {
                    return new Told(other.relayUrl(), Optional.of(SafeText.of(answer.message())));
                }
            }
            return new Told(other.relayUrl(), Optional.empty());
        } catch (ToolFailure e) {
            return new Told(other.relayUrl(), Optional.of(String.valueOf(e.getMessage())));
        }
    }

    /// Declares the refs of a repository that is announced.
    ///
    /// @throws ToolFailure with a sentence about what is in the way
    public Report declare(String remote, Removal removal, Duration patience) {
        var refs = local.refs();
        var url = local.findRemote(remote)
                .orElseThrow(() -> new ToolFailure("git knows no remote called '" + remote
                        + "' here; 'grapnel repo init' announces a repository and adds one"));
        var repository = require(
                "the remote '" + remote + "' leads to no repository of a GRASP server: ", ServiceUrl.parseRemote(url));
        try (var relay = RelayConnection.open(repository.service().relayUrl(), patience)) {
            var publishing = new RepositoryPublishing(relay, repository.service(), key, random, time);
            var declared = publishing.declare(repository.owner(), repository.identifier(), refs, removal);
            return report(Optional.empty(), declared, repository, remote, refs, List.of());
        }
    }

    private static Report report(
            Optional<Published> announced,
            Published declared,
            ServiceUrl.Repository repository,
            String remote,
            LocalRefs refs,
            List<Told> told) {
        return new Report(announced, declared, remote, refs.pushed(), repository.cloneUrl(), told);
    }

    /// A remote of that name that leads elsewhere is the user's; then the address itself is what to push to.
    private String remote(String name, String url) {
        var known = local.findRemote(name);
        if (known.isEmpty()) {
            local.addRemote(name, url);
            return name;
        }
        return known.get().equals(url) ? name : url;
    }

    private static <T> T require(String sentence, Parsed<T> parsed) {
        return switch (parsed) {
            case Parsed.Valid<T>(var value) -> value;
            case Parsed.Invalid<T>(var reason) -> throw new ToolFailure(sentence + reason);
        };
    }
}
