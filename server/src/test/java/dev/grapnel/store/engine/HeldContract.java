package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.author;
import static dev.grapnel.store.engine.StoreFixture.deletion;
import static dev.grapnel.store.engine.StoreFixture.deletionOf;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static dev.grapnel.store.engine.StoreFixture.vanish;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.Viewer;
import dev.grapnel.store.row.Dormant;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Terms;
import dev.grapnel.store.table.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/// Held events and ledgers (purgatory 7.2, README I-1, I-5, I-6).
public interface HeldContract extends StoreContract {
    /// The answer to an event that waits.
    String PURGATORY = "purgatory: won't be served until git data arrives";

    private static Event announcement(int author, long createdAt) {
        return tagged(author, Kinds.ANNOUNCEMENT, createdAt, List.of(List.of("d", "x")));
    }

    private static Event state(int author, long createdAt) {
        return tagged(author, Kinds.STATE, createdAt, List.of(List.of("d", "x")));
    }

    private static Event proposal(int author) {
        return tagged(
                author,
                Kinds.PULL_REQUEST,
                NOW,
                List.of(List.of("a", "30617:" + author(0) + ":x"), List.of("c", "12".repeat(20))));
    }

    private static Held held(Event event) {
        var since = Instant.ofEpochSecond(NOW);
        var until = since.plus(Duration.ofMinutes(30));
        return switch (event.kind()) {
            case Kinds.ANNOUNCEMENT ->
                new HeldAnnouncement(event, since, until, Source.DIRECT, HeldAnnouncement.Phase.ACTIVE);
            case Kinds.STATE -> new HeldState(event, since, until, Source.SYNC);
            default -> new HeldProposal(event, since, until, Source.DIRECT, List.of());
        };
    }

    private void hold(Event... events) {
        for (var event : events) {
            assertEquals(PURGATORY, fixture().hold(held(event)).message());
        }
    }

    @Test
    default void aHeldEventIsAcknowledgedAndSeenByNobody() {
        var events = List.of(announcement(0, NOW), state(0, NOW), proposal(1));
        hold(events.toArray(Event[]::new));
        fixture().reopen();
        fixture().assertServes();
        assertEquals(0, fixture().count(Filter.ALL));
        assertEquals(
                0,
                ((dev.grapnel.store.ItemsOutcome.Items) fixture().store().items(Filter.ALL, Viewer.ALL, 10))
                        .items()
                        .size());
        assertEquals(0, fixture().store().commitNumber());
        for (var event : events) {
            assertEquals(Optional.of(held(event)), fixture().read(view -> view.findHeld(event.id())));
            assertTrue(fixture().read(view -> view.find(event.id())).isEmpty());
            assertEquals("true duplicate: in purgatory", fixture().answer(event));
            assertEquals("duplicate: in purgatory", fixture().hold(held(event)).message());
            assertTrue(fixture().did(view -> view.hasAnything(event.author())));
        }
    }

    @Test
    default void aReleaseMovesAnEventFromHeldToServed() {
        var event = state(0, NOW);
        hold(event);
        assertInstanceOf(SaveOutcome.Served.class, fixture().write(transaction -> transaction.release(event.id())));
        fixture().assertServes(event);
        assertTrue(fixture().read(view -> view.findHeld(event.id())).isEmpty());
        assertEquals("true duplicate: already have this event", fixture().answer(event));
        assertEquals(0, fixture().rows(Table.HELD_STATES));
        assertEquals(0, fixture().rows(Table.HELD_IDS));
        assertEquals(0, fixture().rows(Table.HELD_AUTHORS));
    }

    @Test
    default void manyAreReleasedInOneTransactionInOrder() {
        var events = List.of(announcement(0, NOW), state(0, NOW), proposal(1));
        hold(events.toArray(Event[]::new));
        var numbers = fixture()
                .write(transaction -> events.stream()
                        .map(event -> ((SaveOutcome.Served) transaction.release(event.id())).number())
                        .toList());
        assertEquals(List.of(1L, 2L, 3L), numbers);
    }

    @Test
    default void aReleaseOfAnOutdatedStateRemovesItsRowAllTheSame() {
        var old = state(0, NOW);
        var young = state(0, NOW + 1);
        hold(old, young);
        fixture().write(transaction -> transaction.release(young.id()));
        var outcome = fixture().write(transaction -> transaction.release(old.id()));
        assertEquals("duplicate: have a newer version", outcome.message());
        assertFalse(outcome.isAccepted());
        assertTrue(fixture().read(view -> view.findHeld(old.id())).isEmpty());
        fixture().assertServes(young);
    }

    @Test
    default void whatIsNotHeldCannotBeReleased() {
        var id = state(0, NOW).id();
        var problem =
                assertThrows(CompletionException.class, () -> fixture().write(transaction -> transaction.release(id)));
        assertInstanceOf(IllegalStateException.class, problem.getCause());
    }

    @Test
    default void anEventIsNeverInNeitherPlaceNorInBoth() throws InterruptedException {
        var events = new ArrayList<Event>();
        for (int i = 0; i < 40; i++) {
            events.add(state(i, NOW));
            hold(events.getLast());
        }
        var wrong = new ArrayList<String>();
        var reader = Thread.ofVirtual().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                for (var event : events) {
                    boolean once = fixture()
                            .read(view -> view.find(event.id()).isPresent()
                                    != view.findHeld(event.id()).isPresent());
                    if (!once) {
                        wrong.add(event.id().toString());
                    }
                }
            }
        });
        for (var event : events) {
            fixture().write(transaction -> transaction.release(event.id()));
        }
        reader.interrupt();
        reader.join();
        assertEquals(List.of(), wrong);
    }

    @Test
    default void twoStatesOfOneAuthorAreHeldSideBySideInEitherOrder() {
        var one = tagged(0, Kinds.STATE, NOW, List.of(List.of("d", "x"), List.of("HEAD", "1")));
        var two = tagged(0, Kinds.STATE, NOW, List.of(List.of("d", "x"), List.of("HEAD", "2")));
        hold(one, two);
        hold(
                tagged(1, Kinds.STATE, NOW + 1, List.of(List.of("d", "x"))),
                tagged(1, Kinds.STATE, NOW, List.of(List.of("d", "x"))));
        assertEquals(
                4,
                rows(Table.HELD_STATES, RowKeys.statesOf(new Identifier("x"))).size());
    }

    private List<Row> rows(Table table, Bytes prefix) {
        return fixture().read(view -> {
            var rows = new ArrayList<Row>();
            view.forEachRow(table, prefix, rows::add);
            return rows;
        });
    }

    @Test
    default void rowsAreReadPageByPage() {
        var names = List.of("a", "ab", "b", "c", "d");
        names.forEach(name -> hold(tagged(0, Kinds.STATE, NOW, List.of(List.of("d", name)))));
        var all = rows(Table.HELD_STATES, Bytes.EMPTY);
        var paged = new ArrayList<Row>();
        for (var page = after(Bytes.EMPTY);
                !page.isEmpty();
                page = after(page.getLast().key())) {
            assertTrue(page.size() <= 2);
            paged.addAll(page);
        }
        assertEquals(5, paged.size());
        assertEquals(all, paged);
    }

    private List<Row> after(Bytes key) {
        return fixture().read(view -> view.rowsAfter(Table.HELD_STATES, key, 2));
    }

    @Test
    default void aNewerAnnouncementTakesThePlaceOfAHeldOne() {
        var old = announcement(0, NOW);
        var young = announcement(0, NOW + 1);
        hold(old);
        assertEquals(new SaveOutcome.Waiting(List.of(held(old))), fixture().hold(held(young)));
        assertTrue(fixture().read(view -> view.findHeld(old.id())).isEmpty());
        assertEquals(1, rows(Table.HELD_ANNOUNCEMENTS, Bytes.EMPTY).size());
        assertEquals(
                "duplicate: have a newer version", fixture().hold(held(old)).message());
        assertEquals("false duplicate: have a newer version", fixture().answer(old));
    }

    @Test
    default void aStateLosesAgainstItsAuthorsServedOneOnly() {
        fixture().serve(state(0, NOW + 1));
        assertEquals(
                "duplicate: have a newer version",
                fixture().hold(held(state(0, NOW))).message());
        hold(state(1, NOW));
    }

    @Test
    default void aRowIsChangedInPlace() {
        var event = announcement(0, NOW);
        hold(event);
        var changed = held(event).withExpiry(Instant.ofEpochSecond(NOW + 9_999));
        fixture().write(transaction -> {
            transaction.put(changed);
            return true;
        });
        assertEquals(Optional.of(changed), fixture().read(view -> view.findHeld(event.id())));
        var other = held(announcement(1, NOW));
        assertThrows(
                CompletionException.class,
                () -> fixture().write(transaction -> {
                    transaction.put(other);
                    return true;
                }));
        assertTrue(fixture().read(view -> view.findHeld(other.event().id())).isEmpty());
    }

    @Test
    default void aDroppedRowIsGone() {
        var event = proposal(0);
        hold(event);
        assertEquals(Optional.of(held(event)), fixture().write(transaction -> transaction.drop(event.id())));
        assertEquals(Optional.empty(), fixture().write(transaction -> transaction.drop(event.id())));
        hold(event);
    }

    @Test
    default void aDeletionRemovesHeldEventsOfItsAuthor() {
        var announcement = announcement(0, NOW);
        var state = state(0, NOW);
        var proposal = proposal(0);
        var foreign = state(1, NOW);
        hold(announcement, state, proposal, foreign);
        var request = deletion(
                0,
                NOW,
                List.of(
                        List.of("e", proposal.id().toString()),
                        List.of("e", foreign.id().toString()),
                        DeletionContract.address(Kinds.ANNOUNCEMENT, 0, "x"),
                        DeletionContract.address(Kinds.STATE, 0, "x")));
        var outcome = assertInstanceOf(SaveOutcome.Served.class, fixture().save(request));
        assertEquals(3, outcome.dropped().size());
        fixture().assertServes(request);
        assertEquals(List.of(held(foreign)), rows(Table.HELD_STATES, Bytes.EMPTY));
        assertEquals(
                DeletionContract.BLOCKED.substring(6),
                fixture().hold(held(state)).message());
    }

    @Test
    default void anAddressDeletionKeepsNewerHeldStates() {
        var old = state(0, NOW);
        var young = state(0, NOW + 5);
        hold(old, young);
        fixture().serve(deletion(0, NOW + 4, List.of(DeletionContract.address(Kinds.STATE, 0, "x"))));
        assertEquals(List.of(held(young)), rows(Table.HELD_STATES, Bytes.EMPTY));
    }

    @Test
    default void aHeldEventMakesItsAuthorKnown() {
        hold(state(0, NOW));
        fixture().serve(deletionOf(0, NOW, state(0, NOW - 1)));
    }

    @Test
    default void aVanishRequestAndABanRemoveHeldEvents() {
        var early = state(0, NOW);
        var late = state(0, NOW + 10);
        var banned = state(1, NOW);
        hold(early, late, banned);
        fixture().serve(vanish(0, NOW + 5, "ALL_RELAYS"));
        fixture().write(transaction -> {
            transaction.ban(author(1), "spam");
            return true;
        });
        assertEquals(List.of(held(late)), rows(Table.HELD_STATES, Bytes.EMPTY));
        assertTrue(fixture().hold(held(early)).message().startsWith("blocked:"));
    }

    @Test
    default void aGatedEventIsNotHeld() {
        var event = state(0, NOW);
        assertInstanceOf(SaveOutcome.Gated.class, fixture().save(deletionOf(0, NOW, event)));
        assertFalse(fixture().hold(held(event)).isAccepted());
        assertEquals(0, rows(Table.HELD_STATES, Bytes.EMPTY).size());
        assertEquals(1, fixture().all().size());
    }

    @Test
    default void holdingForgetsThatAnEventHadExpiredUnlessItWasRevived() {
        var event = state(0, NOW);
        var now = Instant.ofEpochSecond(NOW);
        var dormant = new Dormant(List.of(new Identifier("x")), author(0), NOW, List.of(), List.of(), Optional.empty());
        var expired = new ExpiredEvent(event.id(), Kinds.STATE, now, now, 0, false, Optional.of(dormant));
        put(expired);
        hold(event);
        assertEquals(List.of(), rows(Table.EXPIRED_EVENTS, Bytes.EMPTY));
        var other = state(0, NOW + 1);
        var revived = new ExpiredEvent(other.id(), Kinds.STATE, now, now, 0, false, Optional.of(dormant)).revived();
        put(revived);
        hold(other);
        assertEquals(List.of(revived), rows(Table.EXPIRED_EVENTS, Bytes.EMPTY));
        fixture().serve(vanish(0, NOW + 5, "ALL_RELAYS"));
        assertEquals(List.of(revived.withoutDormant()), rows(Table.EXPIRED_EVENTS, Bytes.EMPTY));
    }

    private void put(Row row) {
        fixture().write(transaction -> {
            transaction.put(row);
            return true;
        });
    }

    @Test
    default void ledgerRowsComeAndGo() {
        var repository = new RepositoryAddress(author(0), new Identifier("x"));
        var row = Repair.due(repository, Instant.ofEpochSecond(NOW));
        put(row);
        fixture().reopen();
        assertEquals(List.of(row), rows(Table.REPAIRS, row.key()));
        assertTrue(fixture().did(transaction -> transaction.remove(Table.REPAIRS, row.key())));
        assertFalse(fixture().did(transaction -> transaction.remove(Table.REPAIRS, row.key())));
    }

    @Test
    default void rowsWithIndexesAreNotRemovedBehindTheirBack() {
        var event = state(0, NOW);
        hold(event);
        var key = held(event).key();
        assertThrows(
                CompletionException.class,
                () -> fixture().write(transaction -> transaction.remove(Table.HELD_STATES, key)));
        assertThrows(
                CompletionException.class, () -> fixture().write(transaction -> transaction.remove(Table.EVENTS, key)));
    }

    @Test
    default void whatChangesWhileAnEventWaitsIsSeenByEveryRead() {
        var event = announcement(0, NOW);
        hold(event);
        var row = (HeldAnnouncement) held(event);
        var terms = new Terms(
                row.expiresAt().plusSeconds(60), Source.SYNC, Optional.of(HeldAnnouncement.Phase.SOFT_EXPIRED));
        assertTrue(fixture().did(transaction -> transaction.amend(event.id(), terms)));
        fixture().reopen();
        var changed = row.withTerms(terms);
        assertEquals(terms, changed.terms());
        assertEquals(Optional.of(changed), fixture().read(view -> view.findHeld(event.id())));
        assertEquals(Optional.of(changed), fixture().read(view -> view.findRow(row.table(), row.key())));
        assertEquals(List.of(changed), rows(Table.HELD_ANNOUNCEMENTS, Bytes.EMPTY));
        assertEquals(
                List.of(changed), fixture().read(view -> view.rowsAfter(Table.HELD_ANNOUNCEMENTS, Bytes.EMPTY, 10)));
        fixture().assertSound();
    }

    @Test
    default void termsEndWithTheRow() {
        var event = state(0, NOW);
        hold(event);
        var later = held(event).terms().until(Instant.ofEpochSecond(NOW + 9_999));
        assertTrue(fixture().did(transaction -> transaction.amend(event.id(), later)));
        assertEquals(
                Optional.of(held(event).withTerms(later)),
                fixture().write(transaction -> transaction.drop(event.id())));
        assertEquals(0, fixture().rows(Table.HELD_TERMS));
        assertFalse(fixture().did(transaction -> transaction.amend(event.id(), later)));
        hold(event);
        assertEquals(Optional.of(held(event)), fixture().read(view -> view.findHeld(event.id())));
        fixture().assertSound();
    }

    @Test
    default void aRowThatIsWrittenAnewHasItsOwnTerms() {
        var event = state(0, NOW);
        hold(event);
        var later = held(event).terms().until(Instant.ofEpochSecond(NOW + 9_999));
        assertTrue(fixture().did(transaction -> transaction.amend(event.id(), later)));
        put(held(event));
        assertEquals(Optional.of(held(event)), fixture().read(view -> view.findHeld(event.id())));
        assertEquals(0, fixture().rows(Table.HELD_TERMS));
    }
}
