package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreSamples;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// One row of every sort, with every field set to something that is no default.
public final class RowSamples {
    static final Instant SINCE = Instant.ofEpochMilli(1_700_000_000_123L);
    static final Instant UNTIL = Instant.ofEpochMilli(1_700_001_800_456L);
    static final Instant LATER = Instant.ofEpochMilli(1_700_009_999_789L);

    static final Identifier IDENTIFIER = new Identifier("grün:kern");
    static final RepositoryAddress REPOSITORY = new RepositoryAddress(StoreSamples.author(0), IDENTIFIER);
    static final RepositoryAddress SUBMITTED = new RepositoryAddress(StoreSamples.author(2), IDENTIFIER);
    static final EventId ID = EventId.parse("0123456789abcdef".repeat(4)).require();
    static final Oid COMMIT = oid(1);

    static final Upload COMPLETE =
            new Upload(REPOSITORY, Upload.Endpoint.REPOSITORY, new AreaName("area-1"), false, "192.0.2.7");
    static final Upload RECEIVING =
            new Upload(SUBMITTED, Upload.Endpoint.CONTRIBUTOR, new AreaName("area-2"), true, "2001:db8::7");

    static final Dormant DORMANT = new Dormant(
            List.of(IDENTIFIER, new Identifier("other")),
            StoreSamples.author(1),
            1_699_999_999,
            List.of(oid(3), oid(2)),
            List.of("https://git.example.org/a.git", "https://git.example.net/b.git"),
            Optional.of("wss://relay.example.org"));

    private RowSamples() {}

    public static List<Row> all() {
        return List.of(
                announcement(),
                state(),
                proposal(),
                placeholder(),
                expired(),
                repair(),
                trash(),
                standing(),
                trashedEvent(),
                adoption(),
                gate(),
                retired(),
                refused(),
                health(),
                importPosition());
    }

    static Oid oid(int number) {
        return Oid.parse("%040x".formatted(0x1234_5678L << 24 | number)).require();
    }

    static Event announcing(String identifier) {
        return StoreSamples.event(
                0,
                Kinds.ANNOUNCEMENT,
                1_699_999_000,
                List.of(List.of("d", identifier), List.of("clone", "https://git.example.org/a.git")),
                "");
    }

    static Event stating(String identifier) {
        return StoreSamples.event(
                1,
                Kinds.STATE,
                1_699_999_100,
                List.of(List.of("d", identifier), List.of("refs/heads/main", oid(1).toString())),
                "");
    }

    static Event proposing(int kind) {
        return StoreSamples.event(
                2,
                kind,
                1_699_999_200,
                List.of(
                        List.of("a", REPOSITORY.toString()),
                        List.of("a", "30617:" + StoreSamples.author(1) + ":other"),
                        List.of("a", "30617:" + StoreSamples.author(1) + ":" + IDENTIFIER),
                        List.of("c", COMMIT.toString())),
                "please pull \"this\"\n");
    }

    static HeldAnnouncement announcement() {
        return new HeldAnnouncement(
                announcing(IDENTIFIER.text()), SINCE, UNTIL, Source.SYNC, HeldAnnouncement.Phase.SOFT_EXPIRED);
    }

    static HeldState state() {
        return new HeldState(stating(IDENTIFIER.text()), SINCE, UNTIL, Source.SYNC);
    }

    static HeldProposal proposal() {
        return new HeldProposal(proposing(Kinds.PULL_REQUEST), SINCE, UNTIL, Source.SYNC, List.of(COMPLETE, RECEIVING));
    }

    static Placeholder placeholder() {
        return new Placeholder(ID, COMMIT, SINCE, UNTIL, List.of(RECEIVING, COMPLETE));
    }

    static ExpiredEvent expired() {
        return new ExpiredEvent(ID, Kinds.STATE, SINCE, LATER, 2, true, Optional.of(DORMANT));
    }

    static Repair repair() {
        return new Repair(REPOSITORY, SINCE, 7, UNTIL, "disk full: no space left", new TreeSet<>(List.of(ID)));
    }

    static TrashRecord trash() {
        return new TrashRecord(
                REPOSITORY,
                ID,
                new TreeMap<>(Map.of(
                        new RefName("refs/heads/main"), oid(1),
                        new RefName("refs/heads/äste/neu"), oid(2),
                        new RefName("refs/tags/v1"), oid(1))),
                Optional.of(new RefName("refs/heads/main")),
                new TreeSet<>(List.of(oid(9), oid(4))),
                SINCE,
                LATER);
    }

    static Standing standing() {
        return new Standing(
                REPOSITORY,
                Standing.Phase.TRASHED,
                SINCE,
                Standing.Cause.BLACKLISTED,
                Optional.of(new Version(1_700_000_007, ID)),
                Optional.of(announcing(IDENTIFIER.text())));
    }

    static TrashedEvent trashedEvent() {
        return new TrashedEvent(IDENTIFIER, proposing(Kinds.PULL_REQUEST), SINCE);
    }

    static Adoption adoption() {
        return new Adoption(REPOSITORY, Adoption.Step.VERIFIED, SINCE, "two objects were copied");
    }

    static Gate gate() {
        return new Gate(
                StoreSamples.event(3, Kinds.DELETION, 1_699_999_300, List.of(List.of("e", ID.toHex())), "gone"), SINCE);
    }

    static RetiredRequest retired() {
        return new RetiredRequest(
                StoreSamples.event(5, Kinds.VANISH, 1_699_999_350, List.of(List.of("relay", "ALL_RELAYS")), "bye"),
                LATER);
    }

    static RefusedEvent refused() {
        return new RefusedEvent(
                ID,
                Kinds.COMMENT,
                StoreSamples.author(4),
                1_699_999_400,
                Optional.of("d of any sort/\u0001"),
                RefusedEvent.Reason.ORPHAN,
                "wss://relay.example.org",
                SINCE,
                LATER,
                3,
                List.of(Bytes.copyOf((byte) 1, (byte) 0), Bytes.EMPTY));
    }

    static RelayHealth health() {
        return new RelayHealth(
                new Remote(Remote.Type.RELAY, "wss://relay.example.org"),
                11,
                Optional.of(SINCE),
                Optional.of(SINCE.minusSeconds(1)),
                Optional.of(UNTIL),
                Optional.of(UNTIL.plusSeconds(1)),
                Optional.of(UNTIL.plusSeconds(2)),
                Optional.of(
                        new Naughty(Naughty.Fault.TLS_CERTIFICATE_INVALID, SINCE, UNTIL, 5, LATER, Optional.empty())),
                List.of(
                        new LearnedLimit("filters_per_req", 5, LATER),
                        new LearnedLimit("negentropy", -1, LATER.plusMillis(1))));
    }

    static ImportPosition importPosition() {
        return new ImportPosition(
                7,
                new InputPlace(256, Bytes.wrap(ID.toBytes()), 12_345_678_901L, Bytes.wrap(new byte[32])),
                12,
                5,
                SINCE);
    }
}
