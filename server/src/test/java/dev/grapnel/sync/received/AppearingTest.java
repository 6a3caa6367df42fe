package dev.grapnel.sync.received;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.received.Arrivals.Knowledge;
import dev.grapnel.sync.world.Archive.Appearance;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What became visible may mention 25,000 things for each event: all of them are looked at (R7.21), and no turn of the
/// loop has more than its share (sync 8.3).
final class AppearingTest {
    private static final int MANY = 25_000;

    private final IntakeFixture world = new IntakeFixture();
    private final List<String> seen = new ArrayList<>();
    private final Appearing appearing = new Appearing(world.loop, _ -> true, this::see, () -> {});

    private int see(String mention) {
        seen.add(mention);
        if (mention.equals("bad")) {
            throw new IllegalStateException("failing, as the test wants");
        }
        return mention.equals("dear") ? Appearing.TURN_MAX : 0;
    }

    private static Appearance appearance(String... mentions) {
        return new Appearance(new EventId(1, 1, 1, 1), Optional.empty(), List.of(mentions));
    }

    private static Appearance wordy(int number) {
        return appearance(
                IntStream.range(0, MANY).mapToObj(name -> number + "-" + name).toArray(String[]::new));
    }

    @Test
    void allThatIsMentionedIsLookedAtOverSeveralTurns() {
        var done = new ArrayList<Integer>();
        appearing.add(List.of(wordy(1), wordy(2)), () -> done.add(seen.size()));
        appearing.add(List.of(wordy(3)), () -> done.add(seen.size()));
        assertTrue(seen.size() <= Appearing.TURN_MAX, () -> seen.size() + " at once");
        assertEquals(List.of(), done);
        world.runInTurns(Duration.ZERO, seen::size, Appearing.TURN_MAX);
        assertEquals(3 * MANY, new HashSet<>(seen).size());
        assertEquals(3 * MANY, seen.size());
        assertEquals(List.of(2 * MANY, 3 * MANY), done);
    }

    @Test
    void longMentionsCountForMore() {
        var longOnes = IntStream.range(0, 100)
                .mapToObj(number -> number + "x".repeat(64_000))
                .toArray(String[]::new);
        appearing.add(List.of(appearance(longOnes)), () -> {});
        assertTrue(seen.size() < 10, () -> seen.size() + " at once");
        world.loop.settle();
        assertEquals(100, seen.size());
    }

    @Test
    void whatMentionsWakeCounts() {
        appearing.add(List.of(appearance("dear", "dear", "cheap")), () -> {});
        assertEquals(1, seen.size());
        world.runInTurns(Duration.ZERO, seen::size, 1);
        assertEquals(List.of("dear", "dear", "cheap"), seen);
    }

    @Test
    void whatFailsIsNotTheLastThatIsLookedAt() {
        var done = new ArrayList<String>();
        assertThrows(
                IllegalStateException.class,
                () -> appearing.add(List.of(appearance("bad", "good")), () -> done.add("done")));
        world.loop.settle();
        assertEquals(List.of("bad", "good"), seen);
        assertEquals(List.of("done"), done);
    }

    /// The gate tells of what it stores, too, at a moment when nobody can be made to wait.
    @Test
    void whatMentionsManyIsLookedAtWhenTheArchiveTells() {
        var mentioned = Unsigned.event(1, 1, "[]");
        world.policy = _ -> IntakeFixture.ORPHAN;
        world.bring(mentioned);
        var wordy = mentioning(mentioned);
        world.policy = _ -> new Ruling.Stored();
        world.isFollowed = false;
        world.bring(wordy);
        assertEquals(Knowledge.REFUSED, world.intake.knowledge(mentioned.id()));
        world.appear(wordy);
        assertEquals(Knowledge.STORED, world.intake.knowledge(mentioned.id()));
    }

    private static Event mentioning(Event event) {
        var tags = IntStream.range(0, 1_000)
                .mapToObj("[\"e\",\"%064x\"]"::formatted)
                .collect(Collectors.joining(","));
        return Unsigned.event(2, 1, "[" + tags + ",[\"e\",\"" + event.id() + "\"]]");
    }
}
