package dev.grapnel.server.control;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.row.Adoption;
import dev.grapnel.store.row.Dormant;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Gate;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.ImportPosition;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.RefusedEvent;
import dev.grapnel.store.row.RelayHealth;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.RetiredRequest;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.row.TrashRecord;
import dev.grapnel.store.row.TrashedEvent;
import dev.grapnel.store.row.Upload;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What the operator is told about one row of purgatory. Small, whatever the size of the event.
///
/// @param id of the event that is held, expired, or waited for
/// @param identifiers those it names
/// @param author nobody knows it of an event that has not come, or of which only the id is left
/// @param source nobody remembers it of an expired one
/// @param since when it came, or for an expired one when it left
/// @param deadline when it leaves if nothing happens; nothing if time alone does not end it
/// @param waitsFor in words
record HeldEntry(
        HeldKind kind,
        EventId id,
        List<Identifier> identifiers,
        Optional<PublicKey> author,
        Optional<Source> source,
        Instant since,
        Optional<Instant> deadline,
        String waitsFor) {
    /// Whatever leaves first comes first.
    static final Comparator<HeldEntry> ORDER = Comparator.comparing(
                    (HeldEntry entry) -> entry.deadline().orElse(Instant.MAX))
            .thenComparing(HeldEntry::id);

    private static final int IDENTIFIERS_MAX = 8;
    private static final int SHORT_DIGITS = 12;

    HeldEntry {
        identifiers = List.copyOf(identifiers);
    }

    /// The same with a few identifiers only, whatever the event names.
    HeldEntry brief() {
        return new HeldEntry(
                kind,
                id,
                identifiers.stream().limit(IDENTIFIERS_MAX).toList(),
                author,
                source,
                since,
                deadline,
                waitsFor);
    }

    /// @param memory how long expired events are remembered
    /// @throws IllegalArgumentException if the row is none of purgatory's
    static HeldEntry of(Row row, Duration memory) {
        return switch (row) {
            case HeldAnnouncement announcement -> ofHeld(announcement, HeldKind.ANNOUNCEMENT, wait(announcement));
            case HeldState state -> ofHeld(state, HeldKind.STATE, "git objects that its refs name");
            case HeldProposal proposal -> ofHeld(proposal, HeldKind.PR, wait(proposal));
            case Placeholder placeholder -> of(placeholder);
            case ExpiredEvent expired -> of(expired, memory);
            case Repair _,
                    TrashRecord _,
                    Standing _,
                    TrashedEvent _,
                    Adoption _,
                    RefusedEvent _,
                    RelayHealth _,
                    Gate _,
                    RetiredRequest _,
                    ImportPosition _ -> throw new IllegalArgumentException("nothing waits in " + row.table());
        };
    }

    private static HeldEntry ofHeld(Held row, HeldKind kind, String waitsFor) {
        return new HeldEntry(
                kind,
                row.event().id(),
                row.identifiers(),
                Optional.of(row.event().author()),
                Optional.of(row.source()),
                row.heldSince(),
                Optional.of(row.expiresAt()).filter(time -> !time.equals(Held.NEVER)),
                waitsFor);
    }

    private static HeldEntry of(Placeholder row) {
        return new HeldEntry(
                HeldKind.PLACEHOLDER,
                row.id(),
                row.pushedTo().stream()
                        .map(Upload::repository)
                        .map(RepositoryAddress::identifier)
                        .distinct()
                        .toList(),
                Optional.empty(),
                Optional.of(Source.DIRECT),
                row.heldSince(),
                Optional.of(row.expiresAt()),
                row.isReceiving()
                        ? "the rest of its pack"
                        : "its event; commit " + shortened(row.commit().toString()) + " is here");
    }

    private static HeldEntry of(ExpiredEvent row, Duration memory) {
        return new HeldEntry(
                HeldKind.EXPIRED,
                row.id(),
                row.dormant().map(Dormant::identifiers).orElse(List.of()),
                row.dormant().map(Dormant::author),
                Optional.empty(),
                row.expiredAt(),
                Optional.of(row.firstExpiredAt().plus(memory)),
                wait(row));
    }

    private static String wait(HeldAnnouncement row) {
        return switch (row.phase()) {
            case ACTIVE -> "content of its repository";
            case SOFT_EXPIRED -> "a state that revives it; its repository is deleted";
            case REFERENCE -> "nothing; it leaves with the announcements that need it";
        };
    }

    private static String wait(HeldProposal row) {
        return "commit " + shortened(row.proposal().commit())
                + (row.pushedTo().isEmpty() ? "" : ", which was pushed, in a repository it names");
    }

    private static String wait(ExpiredEvent row) {
        var missing = row.dormant()
                .map(dormant -> "; " + dormant.missing().size() + " missing objects are looked for")
                .orElse("");
        return (row.lifted() ? "nothing; it may come again" : "nothing; it is not fetched again") + missing;
    }

    private static String shortened(String digits) {
        return digits.substring(0, Math.min(SHORT_DIGITS, digits.length()));
    }

    /// Writes fields of an object whose opening bracket is the caller's.
    JsonWriter write(JsonWriter out, Instant now) {
        out.raw("\"kind\":").string(kind.word()).raw(",\"id\":").hex(id).raw(",\"identifiers\":");
        var before = "[";
        for (var identifier : identifiers) {
            out.raw(before).string(identifier.text());
            before = ",";
        }
        out.raw(identifiers.isEmpty() ? "[]" : "]");
        author.ifPresent(key -> out.raw(",\"author\":").string(new Npub(key).text()));
        source.ifPresent(place -> out.raw(",\"source\":").string(place.name().toLowerCase(Locale.ROOT)));
        out.raw(",\"heldSince\":").string(since.toString());
        deadline.ifPresent(time -> out.raw(",\"expiresAt\":")
                .string(time.toString())
                .raw(",\"secondsLeft\":")
                .number(Math.max(0, Duration.between(now, time).toSeconds())));
        return out.raw(",\"waitsFor\":").string(waitsFor);
    }
}
