package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.oid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.HuntConfig.Limits;
import dev.grapnel.purgatory.hunt.HuntNote.DormantResult;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Dormant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Data that comes late (P-613).
final class DormantLooksTest {
    private static final String A = "https://a.example/x.git";

    private final Huntsman man = new Huntsman();

    private static DormantRecord record(int number, List<String> urls) {
        return new DormantRecord(
                new EventId(7, 7, 7, number),
                new Dormant(
                        List.of(id("x" + number)),
                        new PublicKey(1, 2, 3, number),
                        1000 + number,
                        List.of(oid(number)),
                        urls,
                        Optional.empty()));
    }

    private static Event event(int number) {
        return StoreSamples.event(1, Kinds.STATE, 1000 + number, List.of(List.of("d", "x" + number)), "");
    }

    private static DormantRecord record(Event event, int number, List<String> urls) {
        return new DormantRecord(event.id(), record(number, urls).row());
    }

    private static HuntUrl relay(String host) {
        return new HuntUrl("wss://" + host, new Host(host));
    }

    private List<DormantResult> results() {
        return man.notes(HuntNote.DormantChecked.class).stream()
                .map(HuntNote.DormantChecked::result)
                .toList();
    }

    /// Row 213.
    @Test
    void oneRequestAnHourServesAllRecordsOfAUrl() {
        man.world.dormant = IntStream.range(0, 100)
                .mapToObj(number -> record(number, List.of(A)))
                .toList();
        man.seconds(24 * 3600);
        var times = man.world.times("visit");
        assertTrue(times.getFirst() <= 3_600_000);
        for (int i = 1; i < times.size(); i++) {
            long gap = times.get(i) - times.get(i - 1);
            assertTrue(gap <= 3_600_000 && gap >= 53 * 60_000, () -> "gap " + gap);
        }
        assertTrue(times.size() >= 24 && times.size() <= 27, () -> times.size() + " looks");
    }

    /// Rows 213 and 217: also after a start, looks are spread over the hour.
    @Test
    void looksAreSpreadOverTheHour() {
        man.world.dormant = IntStream.range(0, 600)
                .mapToObj(number -> record(number, List.of("https://h" + number + ".example/x.git")))
                .toList();
        man.seconds(3600);
        assertEquals(600, man.world.urls("visit").stream().distinct().count());
        var perTenth = new int[10];
        man.world.times("visit").forEach(at -> perTenth[(int) Math.min(9, at / 360_000)]++);
        for (int i = 0; i < 10; i++) {
            assertTrue(perTenth[i] > 30 && perTenth[i] < 100, () -> Arrays.toString(perTenth));
        }
    }

    /// Row 214.
    @Test
    void advertisementWithoutAWantedIdChangesNothing() {
        man.world.server(A).has(oid(99)).hides(oid(1));
        man.world.dormant = List.of(record(1, List.of(A)));
        man.seconds(3 * 3600);
        assertEquals(List.of(), man.world.calls("fetch"));
        assertEquals(
                List.of(DormantResult.UNCHANGED), results().stream().distinct().toList());
        assertEquals(0, man.hunt.counts().queued());
    }

    /// Rows 212 and 214: the event comes back, and where its data was seen is asked first.
    @Test
    void advertisedIdRevivesItsRecordAndIsFetchedThere() {
        var other = "https://b.example/x.git";
        man.world.server(A).has(oid(1));
        var event = event(1);
        var record = record(event, 1, List.of(A, other));
        man.world.onRelays.put(ScriptedWorld.RELAY, List.of(event));
        man.world.revival = (_, world) -> {
            world.dormant = List.of();
            world.calls.clear();
            world.waits(id("x1"), List.of(oid(1)), other, A);
            man.synced(id("x1"));
        };
        man.world.server(other).fails(new Failure.NotThere());
        man.world.dormant = List.of(record);
        man.seconds(3700);
        assertEquals(1, man.notes(HuntNote.DormantRevived.class).size());
        assertEquals(1, man.world.released.size());
        assertEquals(List.of(A), man.world.urls("visit"));
        assertEquals(1, man.world.calls("fetch").size());
    }

    /// Row 215, the hunting part.
    @Test
    void recordWhoseEventNoRelayHasIsLookedForAgain() {
        man.world.server(A).has(oid(1));
        man.world.dormant = List.of(record(1, List.of(A)));
        man.seconds(2 * 3600);
        assertEquals(
                List.of(DormantResult.EVENT_NOT_FOUND),
                results().stream().distinct().toList());
        assertTrue(results().size() >= 2);
    }

    /// Row 213: many events, one question to each relay, and none to a relay that need not be asked any more.
    @Test
    void oneQuestionToARelayServesAllRecords() {
        var one = event(1);
        var two = event(2);
        man.world.server(A).has(oid(1), oid(2));
        man.world.dormant = List.of(record(one, 1, List.of(A)), record(two, 2, List.of(A)));
        var first = relay("first.example");
        var second = relay("second.example");
        var third = relay("third.example");
        man.world.relays.put(one.id(), List.of(first, second, third));
        man.world.relays.put(two.id(), List.of(second, first, third));
        man.world.onRelays.put(first, List.of(one));
        man.world.onRelays.put(second, List.of(two));
        man.world.revival = (_, world) -> world.dormant = List.of();
        man.seconds(3700);
        // the newest event chooses first
        assertEquals(List.of("wss://second.example 2", "wss://first.example 1"), man.world.asked);
        assertEquals(List.of(two.id(), one.id()), man.world.revived);
        assertEquals(List.of(DormantResult.REVIVED), results());
    }

    /// Sync R7.22a: where relays are followed, they are asked by their links and never visited.
    @Test
    void relaysThatAreFollowedAreAskedByTheirLinks() {
        var one = event(1);
        var two = event(2);
        man.world.isLinked = true;
        man.world.server(A).has(oid(1), oid(2));
        man.world.dormant = List.of(record(one, 1, List.of(A)), record(two, 2, List.of(A)));
        var first = relay("first.example");
        var second = relay("second.example");
        var third = relay("third.example");
        man.world.relays.put(one.id(), List.of(first, second, third));
        man.world.relays.put(two.id(), List.of(second, first, third));
        man.world.onRelays.put(first, List.of(one));
        man.world.onRelays.put(second, List.of(two));
        man.world.revival = (_, world) -> world.dormant = List.of();
        man.seconds(3700);
        assertEquals(List.of("link wss://second.example 2", "link wss://first.example 1"), man.world.asked);
        assertEquals(List.of(two.id(), one.id()), man.world.revived);
        assertEquals(List.of(DormantResult.REVIVED), results());
    }

    @Test
    void eventThatNoLinkedRelayHasIsLookedForAgainLater() {
        man.world.isLinked = true;
        man.world.server(A).has(oid(1));
        man.world.dormant = List.of(record(event(1), 1, List.of(A)));
        man.seconds(2 * 3700);
        assertEquals(
                List.of(DormantResult.EVENT_NOT_FOUND),
                results().stream().distinct().toList());
        assertTrue(man.world.asked.stream().allMatch(text -> text.startsWith("link ")), man.world.asked::toString);
        assertTrue(results().size() >= 2);
    }

    /// Whatever a relay sends, only what was asked for counts.
    @Test
    void eventThatNobodyAskedForRevivesNothing() {
        man.world.server(A).has(oid(1));
        man.world.dormant = List.of(record(event(1), 1, List.of(A)));
        man.world.onRelays.put(ScriptedWorld.RELAY, List.of(event(2)));
        man.seconds(3700);
        assertEquals(List.of(), man.world.revived);
        assertEquals(List.of(DormantResult.EVENT_NOT_FOUND), results());
    }

    /// Row 215, P-675: relays on the naughty list are not asked, and get there like git servers.
    @Test
    void brokenRelayIsLeftAloneAndTheNextOneIsAsked() {
        var event = event(1);
        man.world.server(A).has(oid(1));
        man.world.dormant = List.of(record(event, 1, List.of(A)));
        man.world.relays.put(event.id(), List.of(relay("bad.example"), relay("broken.example"), relay("good.example")));
        man.naughty.add(Site.secure(new Host("bad.example")), NaughtyCause.DNS);
        man.world.brokenRelays.put(relay("broken.example"), new Failure.Broken(NaughtyCause.TLS));
        man.seconds(2 * 3600);
        assertEquals(
                List.of("wss://broken.example 1", "wss://good.example 1", "wss://good.example 1"),
                man.world.asked.subList(0, 3));
        assertEquals(1, man.notes(HuntNote.Naughty.class).size());
    }

    /// Row 213: naughty and paused domains, and URLs that rest, are not asked; others of theirs are.
    @Test
    void looksRespectPausesRestsAndTheNaughtyList() {
        man.naughty.add(Site.secure(new Host("bad.example")), NaughtyCause.DNS);
        man.world.server(A).fails(new Failure.SlowDown(Optional.of(Duration.ofMinutes(10))));
        man.world.dormant = List.of(
                record(1, List.of("https://bad.example/x.git")),
                record(2, List.of(A)),
                record(3, List.of("https://a.example/y.git")));
        man.seconds(3600);
        assertTrue(man.world.urls("visit").stream().noneMatch(url -> url.contains("bad.example")));
        var times = man.world.calls("visit");
        assertEquals(2, times.size());
        long pausedAt = times.stream()
                .filter(call -> call.url().equals(A))
                .findFirst()
                .orElseThrow()
                .at();
        long otherAt = times.stream()
                .filter(call -> !call.url().equals(A))
                .findFirst()
                .orElseThrow()
                .at();
        assertTrue(otherAt < pausedAt || otherAt >= pausedAt + 600_000);
        man.seconds(2 * 3600);
        assertTrue(results().contains(DormantResult.NO_PERMIT));
    }

    /// Row 213: hunts go first.
    @Test
    void whoWaitsForADomainGoesBeforeLooks() {
        var slow = new Huntsman(Huntsman.with(new Limits(5, 3, List.of(), 32, 10)), 1);
        slow.world.dormant = List.of(record(1, List.of(A)));
        for (int i = 0; i < 200; i++) {
            var url = "https://a.example/" + i;
            slow.world.server(url).has(oid(100 + i));
            slow.world.waits(id("w" + i), List.of(oid(100 + i)), url);
            slow.synced(id("w" + i));
        }
        slow.seconds(3600);
        assertTrue(slow.world.urls("visit").stream().noneMatch(A::equals));
        slow.seconds(3600);
        assertTrue(slow.world.urls("visit").contains(A));
        assertEquals(200, slow.world.released.size());
    }

    /// Row 218.
    @Test
    void tenThousandRecordsCannotBeAimedAtAVictim() {
        var records = new ArrayList<DormantRecord>();
        for (int i = 0; i < 10_000; i++) {
            records.add(record(i, List.of("https://victim.example/" + i, "file:///etc/passwd", A)));
        }
        man.world.dormant = records;
        man.seconds(70 * 60);
        var times = man.world.calls("visit").stream()
                .filter(call -> call.url().contains("victim"))
                .toList();
        for (int i = 30; i < times.size(); i++) {
            assertTrue(times.get(i).at() - times.get(i - 30).at() >= 60_000);
        }
        var last = new HashMap<String, Long>();
        for (var call : times) {
            var before = last.put(call.url(), call.at());
            assertTrue(before == null || call.at() - before >= 53 * 60_000);
        }
        assertTrue(times.size() > 1700, () -> times.size() + " looks");
        assertTrue(man.world.urls("visit").stream().filter(A::equals).count() <= 3);
    }

    /// Row 219: what the world does not name any more is not asked.
    @Test
    void recordsThatAreGoneCauseNoRequest() {
        man.world.dormant = List.of(record(1, List.of(A)));
        man.seconds(30);
        man.world.dormant = List.of();
        man.seconds(3 * 3600);
        assertTrue(man.world.calls("visit").size() <= 1);
    }

    @Test
    void failedLookIsOneOfItsServer() {
        man.world.server(A).fails(new Failure.Broken(NaughtyCause.DNS));
        man.world.dormant = List.of(record(1, List.of(A)));
        man.seconds(3600);
        assertEquals(List.of(DormantResult.FAILED), results());
        assertTrue(man.naughty.find(Site.secure(new Host("a.example"))).isPresent());
        assertEquals(0, man.world.talking());
        assertEquals(0, man.time.tasks());
    }
}
