package dev.grapnel.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.health.HealthNote;
import dev.grapnel.sync.health.RelayFault;
import dev.grapnel.sync.link.Link;
import dev.grapnel.sync.link.LinkNote;
import dev.grapnel.sync.link.LinkState;
import dev.grapnel.sync.link.Purpose;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The lines of sync 9.2, each on the level it belongs to.
final class SyncLogTest {
    private static final RemoteUrl A = MadeUpSync.url("wss://a.example/?key=secret");

    private Instant now = MadeUpSync.NOW;
    private final List<SyncLog.Line> lines = new ArrayList<>();
    private final SyncLog log = new SyncLog(() -> now, lines::add);

    private void at(LinkNote note) {
        log.accept(new SyncNote.AtRelay(A, note));
    }

    private void health(HealthNote note) {
        log.accept(new SyncNote.Health(note));
    }

    private List<String> written() {
        var written =
                lines.stream().map(line -> line.level() + " " + line.text()).toList();
        lines.clear();
        return written;
    }

    @Test
    void theLifeOfALinkIsWrittenDown() {
        log.accept(new SyncNote.Ready(3, 4, 5));
        log.accept(new SyncNote.Registered(A));
        log.accept(new SyncNote.Attempted(A, true));
        at(new LinkNote.Connected("quick", Duration.ofSeconds(40), 2));
        at(new LinkNote.Page());
        at(new LinkNote.BatchEnded(Purpose.CATCHUP, "confirmed"));
        at(new LinkNote.Complete(3, 7, false, false));
        at(new LinkNote.Daily(false));
        at(new LinkNote.Complete(3, 7, true, true));
        at(new LinkNote.Consolidated("done", 80, 12));
        at(new LinkNote.Consolidated("no_gain", 12, 12));
        at(new LinkNote.GivenUp(0, 1));
        at(new LinkNote.GivenUp(1, 0));
        at(new LinkNote.Width(100, 450));
        at(new LinkNote.Structural("filter_count"));
        at(new LinkNote.Verdict("it never says EOSE"));
        log.accept(new SyncNote.Disconnected(A, 2, LinkState.SYNCING, new Failure.Broken(), "", false));
        log.accept(new SyncNote.Removed(A, false));
        assertEquals(
                List.of(
                        "INFO sync.ready repos=3 roots=4 relays=5",
                        "INFO sync.registered relay=wss://a.example/",
                        "INFO sync.connected relay=wss://a.example/ gen=2 strategy=quick gap=40",
                        "DEBUG sync.page relay=wss://a.example/",
                        "DEBUG sync.batch relay=wss://a.example/ purpose=catchup result=confirmed",
                        "INFO sync.complete relay=wss://a.example/ repos=3 roots=7 doubts=false",
                        "INFO sync.daily relay=wss://a.example/",
                        "INFO sync.daily_complete relay=wss://a.example/ repos=3 roots=7 doubts=true",
                        "INFO sync.consolidated relay=wss://a.example/ result=done before=80 after=12",
                        "DEBUG sync.consolidated relay=wss://a.example/ result=no_gain before=12 after=12",
                        "INFO sync.classes_given_up relay=wss://a.example/ before=0 after=1",
                        "INFO sync.classes_restored relay=wss://a.example/ before=1 after=0",
                        "INFO sync.width relay=wss://a.example/ before=100 after=450",
                        "INFO sync.limit_learned relay=wss://a.example/ limit=filter_count",
                        "INFO sync.verdict relay=wss://a.example/ reason=\"it never says EOSE\"",
                        "INFO sync.disconnected relay=wss://a.example/ gen=2 state=\"syncing\""
                                + " reason=\"the connection broke\"",
                        "INFO sync.removed relay=wss://a.example/ reason=\"nobody names it\""),
                written());
    }

    @Test
    void whatSomebodyShouldLookAtIsAWarningAndADefectAnError() {
        log.accept(new SyncNote.Disconnected(A, 1, LinkState.CONNECTED, new Failure.Cancelled(), Link.FLOODED, false));
        at(new LinkNote.PageOverflow());
        health(new HealthNote.Naughty(A, RelayFault.DNS, now, true));
        health(new HealthNote.Died(A));
        health(new HealthNote.NotWritten(new IOException("disk full")));
        log.refusedUnwritten("refused", new IOException("disk full"));
        log.accept(new SyncNote.BootstrapIsOwn(A));
        assertEquals(7, lines.size());
        lines.forEach(line -> assertEquals("WARN", line.level().name(), line.text()));
        lines.clear();
        health(new HealthNote.Naughty(A, RelayFault.DNS, now, false));
        assertEquals(
                List.of("DEBUG sync.naughty relay=wss://a.example/ category=dns_lookup_failed until=" + now),
                written());
        log.accept(new SyncNote.Drifted(2));
        assertEquals("ERROR", lines.getFirst().level().name());
    }

    /// Each window could bring one.
    @Test
    void aConsolidationThatWaitsIsNotWorthALine() {
        at(new LinkNote.Consolidated("merged", 80, 80));
        assertEquals("DEBUG", lines.getFirst().level().name());
    }

    @Test
    void aRateLimitHasABeginningAndAnEnd() {
        at(new LinkNote.RateLimited());
        health(new HealthNote.CoolingDown(A, Duration.ofSeconds(65)));
        log.accept(new SyncNote.Resumed(A));
        assertEquals(
                List.of(
                        "DEBUG sync.rate_refusal relay=wss://a.example/",
                        "INFO sync.rate_limited relay=wss://a.example/ seconds=65",
                        "INFO sync.rate_limit_over relay=wss://a.example/"),
                written());
    }

    @Test
    void bootstrapThatBringsNothingComesWithAHint() {
        log.accept(new SyncNote.Bootstrapped(A, 4));
        assertEquals(List.of("INFO sync.bootstrap relay=wss://a.example/ accepted=4"), written());
        log.accept(new SyncNote.Bootstrapped(A, 0));
        assertEquals(
                List.of("INFO sync.bootstrap relay=wss://a.example/ accepted=0: no announcement there was new; if"
                        + " nothing of it is here either, the domain of this server or the address of that relay may be"
                        + " wrong"),
                written());
    }

    @Test
    void whatARelayCanRepeatIsToldOnceAnHour() {
        for (int i = 0; i < 3; i++) {
            at(new LinkNote.PolicyRefusal("blocked"));
            log.accept(new SyncNote.Unreachable(A, new Failure.ConnectFailed()));
            now = now.plus(Duration.ofMinutes(30));
        }
        assertEquals(
                List.of("INFO", "INFO", "DEBUG", "DEBUG", "INFO", "INFO"),
                lines.stream().map(line -> line.level().name()).toList());
    }

    /// Whoever invents relays by the thousand fills no disk.
    @Test
    void relaysThatFindNoPlaceAreALineAnHour() {
        for (int i = 0; i < 5_000; i++) {
            health(new HealthNote.KeptWaiting(MadeUpSync.url("wss://r" + i + ".example")));
        }
        assertEquals(1, lines.size());
        now = now.plus(Duration.ofHours(1));
        health(new HealthNote.KeptWaiting(A));
        assertEquals(
                "sync.waiting relays=5000: as many relays are followed as may be (--sync-max-relays), so these wait",
                lines.getLast().text());
        assertEquals(2, lines.size());
    }

    @Test
    void whatRelaysCanRepeatIsOneWarningAnHour() {
        for (int i = 0; i < 3; i++) {
            at(new LinkNote.PageOverflow());
            at(new LinkNote.Chatter());
            now = now.plus(Duration.ofMinutes(30));
        }
        assertEquals(
                List.of("WARN", "WARN", "DEBUG", "DEBUG", "WARN", "WARN"),
                lines.stream().map(line -> line.level().name()).toList());
    }

    @Test
    void lookingAgainAtWhatWasRefusedIsOneLineAndNoneForNothing() {
        log.reprocessed(0, 0);
        log.reprocessed(2, 3);
        assertEquals(List.of("INFO sync.reprocessed items=5 readmitted=2 refetched=3"), written());
        for (int i = 0; i < 1_000; i++) {
            log.reprocessed(1, 0);
        }
        assertEquals(List.of(), written(), "not more than one a minute");
        now = now.plus(Duration.ofMinutes(1));
        log.reprocessed(0, 1);
        assertEquals(List.of("INFO sync.reprocessed items=1001 readmitted=1000 refetched=1"), written());
    }

    @Test
    void noQueryOfARelayIsWrittenDown() {
        log.accept(new SyncNote.Registered(A));
        assertFalse(lines.getFirst().text().contains("secret"));
    }
}
