package dev.grapnel.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Marks for operators' scripts (sync 9.2).
final class GateLogTest {
    private static final Ruling FINAL = new Ruling.Refused(Reason.OTHER, true, Prefix.INVALID);
    private static final String HEX = StoreSamples.author(2).toHex();

    private Instant now = MadeUpSync.NOW;
    private final List<GateLog.Line> lines = new ArrayList<>();

    private void judge(Event event, Ruling ruling) {
        var heard = new AtomicReference<Ruling>();
        new GateLog((_, _, answer) -> answer.accept(ruling), () -> now, lines::add)
                .admit(event, MadeUpSync.url("wss://a.example"), heard::set);
        assertSame(ruling, heard.get());
    }

    private List<String> marks() {
        return lines.stream()
                .map(GateLog.Line::text)
                .filter(text -> text.startsWith("[PARSE_FAIL]"))
                .toList();
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // they are only read
    private static Event event(int kind, List<String>... tags) {
        return StoreSamples.event(1, kind, 1_700_000_000, List.of(tags), "");
    }

    @Test
    void whatCannotBeReadIsMarked() {
        var announcement = event(
                Kinds.ANNOUNCEMENT,
                List.of("d", "a \"b\" npub=x"),
                List.of("clone", "https://a.example"),
                List.of("clone", "https://b.example"));
        judge(announcement, FINAL);
        assertEquals(
                List.of("[PARSE_FAIL] kind=30617 event_id=" + announcement.id()
                        + " reason=\"multiple clone tags found, use one clone tag with several values\" repo=\"a 'b'"
                        + " npub=x\" npub=" + new Npub(announcement.author()).text()),
                marks());
    }

    @Test
    void aPullRequestIsMarkedOnceForEachRepository() {
        var request =
                event(Kinds.PULL_REQUEST, List.of("a", "30617:" + HEX + ":one"), List.of("a", "30617:" + HEX + ":two"));
        judge(request, FINAL);
        assertEquals(2, marks().size());
        assertTrue(marks().getFirst().endsWith(" repo=\"one\" npub=" + new Npub(StoreSamples.author(2)).text()));
        assertTrue(marks().getLast().contains(" repo=\"two\" "));
    }

    @Test
    void whatIsReadAndRefusedIsADebugLineOnly() {
        judge(event(Kinds.ANNOUNCEMENT, List.of("d", "x")), FINAL);
        judge(event(Kinds.ISSUE), new Ruling.Refused(Reason.ORPHAN, false, Prefix.RESTRICTED));
        assertEquals(List.of(), marks());
        assertEquals(
                List.of("DEBUG", "DEBUG"),
                lines.stream().map(line -> line.level().name()).toList());
        assertTrue(lines.getLast().text().endsWith("kind=1621 relay=wss://a.example/ reason=orphan"));
    }

    @Test
    void aMaintainerThatIsNoKeyIsAWarning() {
        var announcement = event(
                Kinds.ANNOUNCEMENT,
                List.of("d", "x"),
                List.of("maintainers", HEX.toUpperCase(Locale.ROOT), "npub1x", "y"));
        judge(announcement, new Ruling.Held());
        assertEquals(
                List.of("sync.invalid_maintainer event_id=" + announcement.id()
                        + " items=2: these values are no keys and are ignored"),
                lines.stream().map(GateLog.Line::text).toList());
        judge(event(Kinds.ANNOUNCEMENT, List.of("d", "y"), List.of("maintainers", HEX)), new Ruling.Stored());
        assertEquals(1, lines.size());
    }

    @Test
    void strangersCannotFillTheLog() {
        var bad = event(Kinds.ANNOUNCEMENT);
        var log = new GateLog((_, _, answer) -> answer.accept(FINAL), () -> now, lines::add);
        for (int i = 0; i < 500; i++) {
            log.admit(bad, MadeUpSync.url("wss://a.example"), _ -> {});
        }
        assertEquals(GateLog.PER_MINUTE_MAX, marks().size());
        assertEquals(
                1,
                lines.stream()
                        .filter(line -> line.text().startsWith("sync.log_full"))
                        .count());
        now = now.plusSeconds(60);
        log.admit(bad, MadeUpSync.url("wss://a.example"), _ -> {});
        assertEquals(GateLog.PER_MINUTE_MAX + 1, marks().size());
    }

    /// One event may name tens of thousands of repositories.
    @Test
    void whatHasNoRoomIsNotPutTogether() {
        var many = new ArrayList<List<String>>();
        for (int i = 0; i < 5_000; i++) {
            many.add(List.of("a", "30617:" + HEX + ":" + i));
        }
        judge(StoreSamples.event(1, Kinds.PULL_REQUEST, 1_700_000_000, many, ""), FINAL);
        assertEquals(GateLog.PER_MINUTE_MAX, marks().size());
        assertEquals(GateLog.PER_MINUTE_MAX + 2, lines.size());
    }

    @Test
    void verdictIsToldWhateverBecomesOfTheLine() {
        var heard = new AtomicReference<Ruling>();
        var log = new GateLog((_, _, answer) -> answer.accept(FINAL), () -> now, _ -> {
            throw new IllegalStateException("failing, as the test wants");
        });
        assertThrows(
                IllegalStateException.class,
                () -> log.admit(event(Kinds.ISSUE), MadeUpSync.url("wss://a.example"), heard::set));
        assertSame(FINAL, heard.get());
    }
}
