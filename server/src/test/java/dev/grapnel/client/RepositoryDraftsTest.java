package dev.grapnel.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.client.RepositoryDrafts.Described;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.ListsService;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RepositoryDraftsTest {
    private static final SecretKey KEY = SecretKey.parse("01".repeat(32)).require();
    private static final Identifier NAME = new Identifier("my repo");
    private static final Oid COMMIT = Oid.parse("12".repeat(20)).require();
    private static final Oid TAG = Oid.parse("34".repeat(20)).require();
    private static final RefName MAIN = new RefName("refs/heads/main");

    private static Event sign(EventDraft draft) {
        return draft.sign(KEY, new Random(1));
    }

    @Test
    void theAnnouncementListsTheServiceItIsPublishedTo() {
        var service = ServiceUrl.parse("wss://git.example.com/base").require();
        var draft = RepositoryDrafts.announcement(
                new Described(NAME, Optional.of("Says hello"), Optional.of(COMMIT)),
                List.of(service.cloneUrl(KEY.publicKey(), NAME), "https://second.example.com/r.git"),
                List.of(service.relayUrl(), "wss://second.example.com"),
                1_700_000_000);
        var announcement = Announcement.parse(sign(draft)).require();
        assertTrue(ListsService.judge(announcement, service.address()), draft.toString());
        assertEquals(NAME, announcement.identifier());
        assertEquals(Optional.of("Says hello"), announcement.description());
        assertEquals(Optional.of(COMMIT.toString()), announcement.earliestUniqueCommit());
        assertTrue(announcement.roster().isActive());
        assertEquals(2, announcement.cloneUrls().size());
    }

    @Test
    void theStateDeclaresEveryBranchAndTagAndTheBranchThatIsCheckedOut() {
        var refs = LocalRefs.parse(
                        List.of(COMMIT + " refs/heads/a/b", COMMIT + " refs/heads/main", TAG + " refs/tags/v1"),
                        "refs/heads/main")
                .require();
        var state = RepositoryState.parse(sign(RepositoryDrafts.state(NAME, refs, 1_700_000_000)))
                .require();
        assertEquals(
                Map.of(new RefName("refs/heads/a/b"), COMMIT, MAIN, COMMIT, new RefName("refs/tags/v1"), TAG),
                state.refs());
        assertEquals(Optional.of(MAIN), state.head());
    }

    @Test
    void withoutBranchCheckedOutTheStateNamesNone() {
        var refs = LocalRefs.parse(List.of(COMMIT + " refs/heads/main"), "").require();
        var state = RepositoryState.parse(sign(RepositoryDrafts.state(NAME, refs, 1)))
                .require();
        assertEquals(Optional.empty(), state.head());
    }
}
