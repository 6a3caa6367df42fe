package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Standing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What one event does to others, where histories have shown that it is easily forgotten.
final class ConsequencesTest {
    private static final String HELD = "true purgatory: won't be served until git data arrives";
    private static final int ANN = 0;
    private static final int BOB = 1;
    private static final int CAROL = 2;
    private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);

    private final GraspWorld world;

    ConsequencesTest(@TempDir Path directory) throws IOException {
        world = new GraspWorld(MaintainerModel.CONFIRMED, directory);
    }

    @BeforeEach
    void beginLater() {
        world.advance(Duration.ofHours(1));
    }

    @AfterEach
    void close() throws IOException {
        world.close();
    }

    /// P-214, A15.
    @Test
    void referenceIsForgottenWhenTheAuthorsOwnTimeEndsWhatItDependedOn() {
        var ann = announcement(ANN, lists(BOB), List.of("expiration", Long.toString(second() + 60)));
        var bob = elsewhere(BOB);
        assertEquals(HELD, send(ann));
        assertEquals(HELD, send(bob));
        world.advance(Duration.ofMinutes(2));
        world.sweep();
        assertEquals(Set.of(), world.held().keySet());
        assertEquals(Set.of(), world.remembered());
    }

    /// Service 4.5.4, A8: Bob's own path follows Ann, who does not list him; Carol does.
    @Test
    void stateRevivesOnlyAnnouncementsThatAuthoriseIt() {
        var bob = announcement(BOB, List.of("M", key(ANN)), List.of("m", key(BOB)), List.of("m", key(CAROL)));
        var carol = announcement(CAROL, lists(BOB));
        send(announcement(ANN, List.of("M", key(ANN))));
        send(bob);
        send(carol);
        world.advance(HALF_AN_HOUR);
        world.sweep();
        assertEquals(HELD, send(state(BOB)));
        assertTrue(held(carol).startsWith("ACTIVE"), held(carol));
        assertTrue(held(bob).startsWith("SOFT_EXPIRED"), held(bob));
    }

    /// P-215, S3.
    @Test
    void stateThatBeginsAnewKeepsItsAnnouncementForAsLong() {
        var ann = announcement(ANN);
        var state = state(ANN);
        send(ann);
        assertEquals(HELD, world.submit(state, true));
        world.advance(Duration.ofMinutes(20));
        assertEquals("true duplicate: in purgatory", send(state));
        assertEquals("ACTIVE DIRECT until " + (world.now() + HALF_AN_HOUR.toMillis()), held(ann));
    }

    /// P-215, A3.
    @Test
    void replacedAnnouncementExtendsStatesAndWhateverElseAuthorisesThem() {
        var bob = announcement(BOB, lists(ANN));
        send(announcement(ANN, lists(BOB)));
        send(bob);
        send(state(ANN));
        world.advance(Duration.ofMinutes(20));
        assertEquals(HELD, send(announcement(ANN, lists(BOB))));
        assertEquals("ACTIVE DIRECT until " + (world.now() + HALF_AN_HOUR.toMillis()), held(bob));
    }

    /// Service 4.9.1: that the event is too old as well makes no difference.
    @Test
    void expiredEventMakesTheGateThatCoversItARequest() {
        var note = make(ANN, 1, List.of("expiration", Long.toString(second() - 1)));
        var request = make(ANN, Kinds.DELETION, List.of("e", note.id()));
        send(request);
        assertEquals(Set.of(request.id()), world.gated());
        assertEquals("false blocked: deletion of this event was requested by its author", send(note));
        assertEquals(Set.of(), world.gated());
        assertEquals(Set.of(request.id()), world.visible());
    }

    /// Service 4.9.6: rows of the trash lie in the order of ids, which says nothing about what belongs to
    /// what.
    @Test
    void updatesReturnFromTheTrashWhateverTheirIds() {
        var ann = announcement(ANN);
        send(ann);
        host(ann);
        var request = make(BOB, Kinds.PULL_REQUEST, at(ANN), List.of("c", "1".repeat(40)));
        var updates = IntStream.range(0, 8)
                .mapToObj(number -> make(
                        BOB,
                        Kinds.PULL_REQUEST_UPDATE,
                        List.of("E", request.id()),
                        List.of("c", Integer.toString(number).repeat(40))))
                .toList();
        Stream.concat(Stream.of(request), updates.stream()).forEach(proposal -> {
            assertEquals(HELD, send(proposal));
            world.write(transaction -> transaction.release(proposal.event().id()));
        });
        send(make(ANN, Kinds.DELETION, List.of("e", ann.id())));
        assertEquals(9, world.trashed().size());
        world.advance(Duration.ofSeconds(1));
        assertEquals("true ", send(announcement(ANN)));
        assertEquals(Set.of(), world.trashed());
        assertTrue(world.visible().containsAll(updates.stream().map(Made::id).toList()));
    }

    /// Service 4.9.8.
    @Test
    void requestToVanishLeavesNoTrashBehind() throws Exception {
        var ann = announcement(ANN);
        var state = state(ANN);
        send(ann);
        send(state);
        host(ann);
        world.write(transaction -> transaction.release(state.event().id()));
        send(make(ANN, Kinds.DELETION, List.of("e", ann.id())));
        assertEquals(Set.of(state.id()), world.trashed());
        send(make(ANN, Kinds.VANISH, List.of("relay", "ALL_RELAYS")));
        assertEquals(Set.of(), world.trashed());
        assertEquals(Set.of(), world.onDisk());
        assertEquals(Set.of(), world.standings().keySet());
    }

    /// Service 4.10: until it is swept the repository is still here, with all that is in it.
    @Test
    void announcementAfterOneThatHasJustExpiredIsServedWithItsRepository() {
        var ann = announcement(ANN, List.of("expiration", Long.toString(second() + 60)));
        send(ann);
        host(ann);
        world.advance(Duration.ofSeconds(61));
        assertEquals("true ", send(announcement(ANN)));
        world.removeOver();
        assertEquals(Set.of("HOSTED"), Set.copyOf(world.standings().values()));
    }

    /// Service 4.4.4: Bob's served announcement names Carol, his newer one waits.
    @Test
    void servedAnnouncementNamesPeopleEvenWhileANewerOneWaits() {
        var ann = announcement(ANN, lists(BOB));
        send(ann);
        host(ann);
        assertEquals("true ", send(elsewhere(BOB, lists(CAROL))));
        world.advance(Duration.ofSeconds(1));
        assertEquals(HELD, send(announcement(BOB)));
        assertEquals("true ", send(elsewhere(CAROL)));
    }

    /// Service 4.10: held ones included.
    @Test
    void announcementThatExpiredWhileItWaitedIsInNobodysWay() {
        var older = announcement(ANN);
        world.advance(Duration.ofSeconds(1));
        assertEquals(HELD, send(announcement(ANN, List.of("expiration", Long.toString(second() + 60)))));
        world.advance(Duration.ofSeconds(61));
        assertEquals(HELD, send(older));
    }

    // ---- events

    private String send(Made made) {
        return world.submit(made, false);
    }

    private String held(Made made) {
        return String.valueOf(world.held().get(made.id()));
    }

    private void host(Made announcement) {
        var address = new RepositoryAddress(announcement.event().author(), new Identifier(announcement.identifier()));
        world.write(transaction -> {
            transaction.put(Standing.hosted(address, Instant.ofEpochMilli(world.now())));
            return transaction.release(announcement.event().id());
        });
    }

    private long second() {
        return world.now() / 1000;
    }

    private static String key(int author) {
        return StoreSamples.author(author).toHex();
    }

    private static List<String> lists(int person) {
        return List.of("maintainers", key(person));
    }

    private static List<String> at(int owner) {
        return List.of("a", "30617:" + key(owner) + ":x");
    }

    @SafeVarargs
    private final Made announcement(int author, List<String>... more) {
        return announcement(author, GraspWorld.cloneUrl(key(author), "x"), "wss://" + GraspWorld.DOMAIN, tags(more));
    }

    @SafeVarargs
    private final Made elsewhere(int author, List<String>... more) {
        return announcement(author, "https://other.example.org/r.git", "wss://other.example.org", tags(more));
    }

    private Made announcement(int author, String clone, String relay, List<List<String>> more) {
        var tags = Stream.concat(
                        Stream.of(List.of("d", "x"), List.of("clone", clone), List.of("relays", relay)), more.stream())
                .toList();
        return make(author, Kinds.ANNOUNCEMENT, tags);
    }

    private Made state(int author) {
        return make(author, Kinds.STATE, List.of("d", "x"), List.of("refs/heads/main", "1".repeat(40)));
    }

    /// A loop, because whatever else takes an array of lists is warned about.
    @SafeVarargs
    private static List<List<String>> tags(List<String>... tags) {
        var all = new ArrayList<List<String>>();
        for (var tag : tags) {
            all.add(tag);
        }
        return all;
    }

    @SafeVarargs
    private final Made make(int author, int kind, List<String>... tags) {
        return make(author, kind, tags(tags));
    }

    private Made make(int author, int kind, List<List<String>> tags) {
        return new Made("", StoreSamples.event(author, kind, second(), tags, ""), tags);
    }
}
