package dev.grapnel.store.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreSamples;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Held events and placeholders know what their event says, and no nonsense can be made of them.
final class HeldTest {
    @Test
    void whatTheEventSaysIsNotAskedTwice() {
        assertEquals(RowSamples.REPOSITORY, RowSamples.announcement().repository());
        assertEquals(List.of(RowSamples.IDENTIFIER), RowSamples.announcement().identifiers());
        assertEquals(RowSamples.IDENTIFIER, RowSamples.state().identifier());
        assertEquals(List.of(RowSamples.IDENTIFIER), RowSamples.state().identifiers());
        assertEquals(
                List.of(RowSamples.IDENTIFIER, new Identifier("other")),
                RowSamples.proposal().identifiers());
        assertEquals(
                Optional.of(RowSamples.COMMIT), RowSamples.proposal().proposal().tip());
    }

    @Test
    void eventsThatNeedNoHoldingAreRefused() {
        var withoutIdentifier = StoreSamples.event(0, Kinds.STATE, 1, List.of(), "");
        assertRefused("the identifier is empty", () -> heldState(withoutIdentifier));
        var unnamed = StoreSamples.event(0, Kinds.ANNOUNCEMENT, 1, List.of(List.of("d", "a/b")), "");
        assertRefused(
                "the identifier has a slash, a backslash or a control character",
                () -> new HeldAnnouncement(
                        unnamed, RowSamples.SINCE, RowSamples.UNTIL, Source.DIRECT, HeldAnnouncement.Phase.ACTIVE));
        assertRefused("kind 30617 where 30618 belongs", () -> heldState(RowSamples.announcing("a")));
        var withoutCommit = StoreSamples.event(0, Kinds.PULL_REQUEST, 1, List.of(), "");
        assertRefused("no c tag", () -> heldProposal(withoutCommit));
        assertRefused("kind 30618 is not a pull request", () -> heldProposal(RowSamples.stating("a")));
    }

    @Test
    void stateThatCanNeverBeAppliedIsHeldAllTheSame() {
        var event = StoreSamples.event(
                1, Kinds.STATE, 1, List.of(List.of("d", "a"), List.of("refs/heads/main", "abc123")), "");
        assertEquals(event, heldState(event).event());
    }

    @Test
    void referenceHasNoDeadline() {
        var reference = RowSamples.announcement().withPhase(HeldAnnouncement.Phase.REFERENCE, RowSamples.UNTIL);
        assertEquals(Held.NEVER, reference.expiresAt());
        assertEquals(reference, reference.withExpiry(RowSamples.LATER));
        assertEquals(
                reference,
                Rows.decode(reference.table(), reference.key(), Rows.encode(reference))
                        .require());
    }

    @Test
    void changesLeaveEverythingElseAlone() {
        for (Held row : List.<Held>of(RowSamples.announcement(), RowSamples.state(), RowSamples.proposal())) {
            assertEquals(row, row.withExpiry(RowSamples.LATER).withExpiry(RowSamples.UNTIL));
            assertEquals(RowSamples.LATER, row.withExpiry(RowSamples.LATER).expiresAt());
            assertEquals(row, row.withSource(Source.DIRECT).withSource(Source.SYNC));
            assertEquals(Source.DIRECT, row.withSource(Source.DIRECT).source());
        }
        var soft = RowSamples.announcement();
        var active = soft.withPhase(HeldAnnouncement.Phase.ACTIVE, RowSamples.LATER);
        assertEquals(HeldAnnouncement.Phase.ACTIVE, active.phase());
        assertEquals(RowSamples.LATER, active.expiresAt());
        assertEquals(soft, active.withPhase(HeldAnnouncement.Phase.SOFT_EXPIRED, RowSamples.UNTIL));
        assertEquals(
                RowSamples.LATER,
                RowSamples.placeholder().withExpiry(RowSamples.LATER).expiresAt());
    }

    @Test
    void timesAreWholeMilliseconds() {
        var row = RowSamples.state();
        assertEquals(row, row.withExpiry(RowSamples.UNTIL.plusNanos(999_999)));
        for (var time : List.of(
                Instant.MIN,
                Instant.EPOCH.minusNanos(1),
                Instant.EPOCH,
                Instant.ofEpochMilli(Long.MIN_VALUE),
                Held.NEVER,
                Instant.MAX)) {
            var moved = row.withExpiry(time);
            assertEquals(
                    moved,
                    Rows.decode(moved.table(), moved.key(), Rows.encode(moved)).require());
        }
        assertEquals(Held.NEVER, row.withExpiry(Instant.MAX).expiresAt());
        assertEquals(
                Instant.ofEpochMilli(-1),
                row.withExpiry(Instant.EPOCH.minusNanos(1)).expiresAt());
    }

    @Test
    void placeholderReceivesUntilOneUploadIsComplete() {
        var receiving = RowSamples.placeholder().withPushedTo(List.of(RowSamples.RECEIVING));
        assertTrue(receiving.isReceiving());
        assertFalse(receiving
                .withPushedTo(List.of(RowSamples.RECEIVING.confirmed()))
                .isReceiving());
        assertFalse(RowSamples.placeholder().isReceiving());
    }

    @Test
    void uploadToTheContributorEndpointGivesTheScope() {
        assertEquals(Optional.of(RowSamples.SUBMITTED), RowSamples.placeholder().prsScope());
        assertEquals(Optional.of(RowSamples.SUBMITTED), RowSamples.proposal().prsScope());
        assertEquals(
                Optional.empty(),
                RowSamples.proposal().withPushedTo(List.of(RowSamples.COMPLETE)).prsScope());
    }

    @Test
    void uploadsThatContradictEachOtherAreRefused() {
        var placeholder = RowSamples.placeholder();
        assertRefused("a placeholder stands for at least one push", () -> placeholder.withPushedTo(List.of()));
        assertRefused(
                "the staging area area-1 is named twice",
                () -> placeholder.withPushedTo(List.of(RowSamples.COMPLETE, RowSamples.COMPLETE)));
        var elsewhere = new Upload(
                new RepositoryAddress(StoreSamples.author(5), RowSamples.IDENTIFIER),
                Upload.Endpoint.CONTRIBUTOR,
                new AreaName("area-3"),
                false,
                "");
        assertRefused(
                "pushed to more than one contributor endpoint",
                () -> RowSamples.proposal().withPushedTo(List.of(RowSamples.RECEIVING, elsewhere)));
    }

    @Test
    void addressOfThePusherIsNeverShown() {
        assertFalse(RowSamples.placeholder().toString().contains(RowSamples.COMPLETE.pusher()));
        assertFalse(RowSamples.proposal().toString().contains(RowSamples.RECEIVING.pusher()));
    }

    @Test
    void areaIsNamedLikeAPlainDirectory() {
        for (var name : List.of("", ".", "..", "a/b", "-a", "A", "a b", "a\n", "a".repeat(101))) {
            assertRefused(
                    "a staging area is named by lower-case letters, digits and hyphens", () -> new AreaName(name));
        }
        assertEquals("0a-9", new AreaName("0a-9").toString());
    }

    private static HeldState heldState(Event event) {
        return new HeldState(event, RowSamples.SINCE, RowSamples.UNTIL, Source.DIRECT);
    }

    private static HeldProposal heldProposal(Event event) {
        return new HeldProposal(event, RowSamples.SINCE, RowSamples.UNTIL, Source.DIRECT, List.of());
    }

    private static void assertRefused(String reason, Executable making) {
        assertEquals(
                reason, assertThrows(IllegalArgumentException.class, making).getMessage());
    }
}
