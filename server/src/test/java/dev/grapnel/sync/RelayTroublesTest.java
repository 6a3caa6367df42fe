package dev.grapnel.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.health.HealthNote;
import dev.grapnel.sync.health.RelayFault;
import dev.grapnel.sync.link.Link;
import dev.grapnel.sync.link.LinkNote;
import dev.grapnel.sync.link.LinkState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a relay did is told in our words, counted, and bounded.
final class RelayTroublesTest {
    private static final RemoteUrl A = MadeUpSync.url("wss://a.example");
    private static final RemoteUrl B = MadeUpSync.url("wss://b.example");

    private Instant now = MadeUpSync.NOW;
    private final RelayTroubles troubles = new RelayTroubles(() -> now);

    private void at(RemoteUrl relay, LinkNote note) {
        troubles.accept(new SyncNote.AtRelay(relay, note));
    }

    private static SyncNote.Disconnected gone(RemoteUrl relay, String reason, boolean isPlanned) {
        return new SyncNote.Disconnected(relay, 1, LinkState.CONNECTED, new Failure.Broken(), reason, isPlanned);
    }

    private List<String> words(RemoteUrl relay) {
        return troubles.of(relay).stream().map(Trouble::words).toList();
    }

    @Test
    void theSameAgainIsCountedAndTheLatestStandsFirst() {
        at(A, new LinkNote.Junk("signature"));
        now = now.plusSeconds(5);
        at(A, new LinkNote.Watchdog("historic_page", true));
        now = now.plusSeconds(5);
        at(A, new LinkNote.Junk("signature"));
        assertEquals(
                List.of(
                        new Trouble("sent events with wrong signatures", 2, MadeUpSync.NOW, now),
                        new Trouble(
                                "did not finish answering a request (no EOSE)",
                                1,
                                MadeUpSync.NOW.plusSeconds(5),
                                MadeUpSync.NOW.plusSeconds(5))),
                troubles.of(A));
        assertEquals(List.of(), troubles.of(B));
    }

    @Test
    void aLiarAndAFlooderAreNamedWithWhatTheyDid() {
        troubles.accept(gone(A, Link.FLOODED, false));
        at(A, new LinkNote.Verdict("negentropy names events that do not come"));
        at(B, new LinkNote.Verdict("it never says EOSE"));
        troubles.accept(new SyncNote.Health(new HealthNote.CoolingDown(B, Duration.ofSeconds(65))));
        troubles.accept(new SyncNote.Health(new HealthNote.Naughty(B, RelayFault.TLS, now, true)));
        assertEquals(
                List.of(
                        "was judged: negentropy names events that do not come",
                        "was disconnected by us: it sends what nobody asked for"),
                words(A));
        assertEquals(
                List.of(
                        "is left alone for some hours: its certificate is not valid",
                        "asked us to slow down",
                        "was judged: it never says EOSE"),
                words(B));
    }

    @Test
    void whoBringsMoreThanItMayIsNamed() {
        at(A, new LinkNote.OverQuota());
        assertEquals(
                List.of("has more new announcements, or GRASP lists of people unknown here, than are taken of a relay"
                        + " in an hour: the rest is asked for later"),
                words(A));
    }

    @Test
    void whatIsNobodysFaultIsNoTrouble() {
        troubles.accept(gone(A, "", true));
        troubles.accept(new SyncNote.Registered(A));
        troubles.accept(new SyncNote.Attempted(A, true));
        troubles.accept(new SyncNote.Drifted(3));
        at(A, new LinkNote.Complete(1, 2, false, false));
        at(A, new LinkNote.GivenUp(2, 1));
        assertEquals(List.of(), words(A));
    }

    @Test
    void aRelayThatIsGoneIsForgotten() {
        troubles.accept(gone(A, "", false));
        assertEquals(List.of("was lost: the connection broke"), words(A));
        troubles.accept(new SyncNote.Removed(A, false));
        assertEquals(List.of(), words(A));
    }

    @Test
    void noMoreThanFiveAreRememberedOfARelay() {
        for (int i = 0; i < 10_000; i++) {
            troubles.accept(new SyncNote.Declined(A, 400 + i % 50));
        }
        assertEquals(RelayTroubles.PER_RELAY_MAX, words(A).size());
        assertEquals("answered the WebSocket handshake with HTTP status 449", words(A).getFirst());
    }

    @Test
    void whoMisbehavedLongestAgoIsForgottenFirst() {
        for (int i = 0; i < RelayTroubles.RELAYS_MAX; i++) {
            at(MadeUpSync.url("wss://r" + i + ".example"), new LinkNote.PageOverflow());
        }
        at(MadeUpSync.url("wss://r0.example"), new LinkNote.PageOverflow());
        at(A, new LinkNote.PageOverflow());
        assertEquals(1, words(A).size());
        assertEquals(1, words(MadeUpSync.url("wss://r0.example")).size());
        assertEquals(List.of(), words(MadeUpSync.url("wss://r1.example")));
        assertEquals(1, words(MadeUpSync.url("wss://r2.example")).size());
    }
}
