package dev.grapnel.purgatory.legacy;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Upload.Endpoint;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What an entry says: the one place that knows what is written in which map (purgatory P-711), and that kind and
/// key must match it (P-712). A pure function of the bytes.
///
/// Paths and relays are not read: both follow from the event.
final class EntryReader {
    private final EventReader events;

    EntryReader(EventLimits limits) {
        this.events = new EventReader(limits);
    }

    /// Reads an entry.
    ///
    /// @param json known to be JSON
    LegacyEntry read(OldMap map, String key, byte[] json) {
        try {
            return switch (map) {
                case ANNOUNCEMENTS -> announcement(key, fields(json));
                case STATES -> state(key, fields(json));
                case PROPOSALS -> proposal(key, fields(json));
                case EXPIRED -> expired(key, json);
            };
        } catch (UnfitEntry unfit) {
            return new LegacyEntry.Unfit(storeOf(map), unfit.reason());
        } catch (IllegalArgumentException refused) { // a row's own checks
            return new LegacyEntry.Unfit(storeOf(map), String.valueOf(refused.getMessage()));
        }
    }

    /// What a map's entries become, as far as the map tells.
    static OldStore storeOf(OldMap map) {
        return switch (map) {
            case ANNOUNCEMENTS -> OldStore.ANNOUNCEMENT;
            case STATES -> OldStore.STATE;
            case PROPOSALS -> OldStore.PROPOSAL;
            case EXPIRED -> OldStore.EXPIRED;
        };
    }

    private EntryFields fields(byte[] json) throws UnfitEntry {
        return new EntryScan(json, events).fields();
    }

    private static LegacyEntry announcement(String key, EntryFields fields) throws UnfitEntry {
        var event = requireEvent(fields);
        requireSame("owner", fields.owner(), event.author().toString());
        requireSame("identifier", fields.identifier(), identifierOf(event));
        requireKey(key, event.author() + ":" + identifierOf(event));
        return waiting(OldStore.ANNOUNCEMENT, event, fields, List.of());
    }

    private static LegacyEntry state(String key, EntryFields fields) throws UnfitEntry {
        var event = requireEvent(fields);
        requireSame("author", fields.author(), event.author().toString());
        requireSame("identifier", fields.identifier(), identifierOf(event));
        requireKey(key, identifierOf(event));
        return waiting(OldStore.STATE, event, fields, List.of());
    }

    private static LegacyEntry proposal(String key, EntryFields fields) throws UnfitEntry {
        var event = fields.event();
        if (event.isPresent()) {
            requireKey(key, event.get().id().toString());
            var proposal = proposalIn(event.get());
            var commit = proposal.tip();
            return waiting(
                    OldStore.PROPOSAL,
                    event.get(),
                    fields,
                    commit.isPresent() ? pushes(event.get().id(), commit.get(), fields) : List.of());
        }
        var id = require("key", EventId.parse(key));
        var commit = require("commit", Oid.parse(fields.commit().orElse("")));
        return new LegacyEntry.Pushed(
                id, commit, fields.createdOffset(), fields.expiresOffset(), pushes(id, commit, fields));
    }

    private static LegacyEntry expired(String key, byte[] json) throws UnfitEntry {
        return new LegacyEntry.Remembered(require("key", EventId.parse(key)), EntryScan.time(json));
    }

    private static LegacyEntry waiting(OldStore store, Event event, EntryFields fields, List<OldPush> pushes)
            throws UnfitEntry {
        var entry = new LegacyEntry.Waiting(
                store,
                event,
                source(fields),
                fields.createdOffset(),
                fields.expiresOffset(),
                pushes,
                fields.pushCount() - pushes.size());
        var _ = entry.row(Instant.EPOCH, Instant.EPOCH, List.of()); // a row checks what it is made of
        return entry;
    }

    private static Source source(EntryFields fields) throws UnfitEntry {
        return switch (fields.source().orElse("Direct")) {
            case "Direct" -> Source.DIRECT;
            case "Sync" -> Source.SYNC;
            default -> throw new UnfitEntry("its source is neither Direct nor Sync");
        };
    }

    /// The pushes of this commit, each repository once. Others had lost against the event, or against the first
    /// push, before this server came (R6, R9).
    private static List<OldPush> pushes(EventId id, Oid commit, EntryFields fields) {
        var standard = fields.standardRefs().stream()
                .filter(ref -> ref.commit().equals(commit.toString()))
                .flatMap(ref -> ref.findAddress().stream())
                .map(repository -> new OldPush(id, commit, repository, Endpoint.REPOSITORY));
        var scoped = fields
                .prsScope()
                .filter(_ -> fields.commit().equals(Optional.of(commit.toString())))
                .flatMap(OldRef::findAddress)
                .map(repository -> new OldPush(id, commit, repository, Endpoint.CONTRIBUTOR))
                .stream();
        return Stream.concat(standard, scoped).distinct().toList();
    }

    private static Proposal proposalIn(Event event) {
        return new HeldProposal(event, Instant.EPOCH, Instant.EPOCH, Source.DIRECT, List.of()).proposal();
    }

    private static String identifierOf(Event event) {
        return event.tags().findValue("d").orElse("");
    }

    private static Event requireEvent(EntryFields fields) throws UnfitEntry {
        return fields.event().orElseThrow(() -> new UnfitEntry("it has no event"));
    }

    private static void requireSame(String field, Optional<String> written, String signed) throws UnfitEntry {
        if (written.isPresent() && !written.get().equals(signed)) {
            throw new UnfitEntry("its " + field + " is not that of the event");
        }
    }

    private static void requireKey(String key, String signed) throws UnfitEntry {
        if (!key.equals(signed)) {
            throw new UnfitEntry("its key is not that of the event");
        }
    }

    private static <T> T require(String field, Parsed<T> parsed) throws UnfitEntry {
        return switch (parsed) {
            case Parsed.Valid<T>(var value) -> value;
            case Parsed.Invalid<T>(var reason) -> throw new UnfitEntry("its " + field + " is " + reason);
        };
    }

    /// A repository as an entry names it.
    ///
    /// @param commit what was pushed there, if that is said
    record OldRef(String owner, String identifier, String commit) {
        /// Empty if there can be no such repository here; that spoils a push, but not the event it waits for.
        Optional<RepositoryAddress> findAddress() {
            return PublicKey.parse(owner)
                    .then(key -> Identifier.parse(identifier).map(name -> new RepositoryAddress(key, name)))
                    .find();
        }
    }
}
