package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.oid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.url.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

final class HuntLogTest {
    private static final String A = "https://a.example/x.git";

    private final List<HuntLog.Line> lines = new ArrayList<>();

    /// Row 173, the part of hunting.
    @Test
    void huntIsWrittenDown() {
        var man = new Huntsman();
        man.world.server(A).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1)), A, "file:///x");
        man.synced(id("x"));
        man.seconds(2);
        var log = new HuntLog(man.time::instant, lines::add);
        man.notes.forEach(log);
        assertEquals(
                List.of(
                        "hunt.queued identifier=x delay=PT0.5S generation=1",
                        "hunt.started identifier=x generation=1",
                        "url.refused domain=none rule=scheme",
                        "hunt.url identifier=x url=" + A + " result=ok advertised=1 speculative=0 oids=1",
                        "hunt.finished identifier=x oids=1 urls=1 duration=PT0S"),
                lines.stream().map(HuntLog.Line::text).toList());
        assertEquals(Level.INFO, lines.getLast().level());
    }

    @Test
    void failingServerIsWorthOneWarningAnHour() {
        var time = new VirtualTime();
        var log = new HuntLog(time::instant, lines::add);
        for (int i = 0; i < 3; i++) {
            log.accept(new HuntNote.Failed(new Host("a.example"), new Failure.Passing(), "it fell silent"));
            time.advance(Duration.ofMinutes(30));
        }
        assertEquals(
                List.of(Level.WARN, Level.DEBUG, Level.WARN),
                lines.stream().map(HuntLog.Line::level).toList());
        assertEquals(
                "hunt.fetch_failed domain=a.example class=transient reason=\"it fell silent\"",
                lines.getFirst().text());
    }

    /// Purgatory 6.7.
    @Test
    void addressThatIsForbiddenIsNoWarning() {
        var log = new HuntLog(new VirtualTime()::instant, lines::add);
        log.accept(new HuntNote.Failed(new Host("a.example"), new Failure.Forbidden("address"), ""));
        log.accept(new HuntNote.Failed(new Host("a.example"), new Failure.Passing(), ""));
        assertEquals(
                List.of(Level.DEBUG, Level.WARN),
                lines.stream().map(HuntLog.Line::level).toList());
    }

    @Test
    void urlsAreWrittenWithoutSecretsAndShort() {
        assertEquals("https://a.example/x", HuntLog.clean("https://me:word@a.example/x?token=1"));
        assertEquals(
                "https://a.example/?b", HuntLog.clean("https://a.example/\nb").replace('\n', '!'));
        assertTrue(HuntLog.clean("https://a.example/" + "x".repeat(1000)).length() <= 200);
    }
}
