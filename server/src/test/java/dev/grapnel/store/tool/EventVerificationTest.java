package dev.grapnel.store.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.tool.EventFault.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
@Timeout(120)
final class EventVerificationTest implements EventVerification.Watcher {
    private static final long DATE = 1_700_000_000;
    private static final String WRONG_SIGNATURE = "signature does not verify, or pubkey is not on the curve";

    @TempDir
    private Path directory;

    private final List<EventFault> faults = new ArrayList<>();
    private final List<Long> progress = new ArrayList<>();
    private OpenStore opened;

    @BeforeEach
    void open() {
        opened = OpenStore.forWriting(
                directory, LmdbConfig.DEFAULTS, StoreRules.DEFAULTS, InstantSource.system(), problem -> {
                    throw new AssertionError(problem);
                });
    }

    @AfterEach
    void close() {
        opened.close();
    }

    @Override
    public void fault(EventFault fault) {
        faults.add(fault);
    }

    @Override
    public void progress(long events, long total) {
        progress.add(events);
    }

    private <T> T write(StoreWork<T> work) {
        return opened.store().write(Urgency.WAITING, 0, work).join();
    }

    private VerificationReport verify(Optional<EventRemoval> removal) throws IOException {
        return new EventVerification(opened.store(), removal, this, 3).run();
    }

    private Optional<EventRemoval> removal() {
        return Optional.of(new EventRemoval.FromStore(opened.store()));
    }

    private List<Event> served() {
        try (var query = opened.store().query(QueryRequest.of(Filter.ALL))) {
            return query.next(1 << 20, Duration.ofSeconds(10)).events().stream()
                    .map(stored -> stored.read())
                    .toList();
        }
    }

    private long rows(Table table) {
        return opened.store().read(view -> view.count(table));
    }

    private static Event note(int number) {
        return StoreSamples.event(0, 1, DATE + number, List.of(), "note " + number);
    }

    private static HeldState held(Event event) {
        var now = Instant.now();
        return new HeldState(event, now, now.plusSeconds(1_800), Source.DIRECT);
    }

    @Test
    void theBytesOfAnEventAreJudgedByIdAndSignature() {
        var good = note(1).toString();
        assertEquals(Optional.empty(), judge(good));
        assertEquals(Optional.of(WRONG_SIGNATURE), judge(Forgery.of(note(1)).toString()));
        assertTrue(judge(good.replace("note 1", "note 2")).orElseThrow().startsWith("id is not the hash"));
        assertTrue(judge(good.substring(1)).orElseThrow().startsWith("not an event, "));
        assertEquals(Optional.of("field sig is missing"), judge(good.replaceFirst(",\"sig\":\"[0-9a-f]*\"", "")));
    }

    private static Optional<String> judge(String json) {
        return EventVerification.judge(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aSoundStoreHasNoFaults() throws IOException {
        for (int i = 0; i < 700; i++) {
            var event = note(i);
            var _ = opened.store().write(Urgency.WAITING, 0, transaction -> transaction.save(event));
        }
        var state = StoreSamples.event(1, Kinds.STATE, DATE, List.of(List.of("d", "x")), "");
        write(transaction -> transaction.hold(held(state)));
        assertEquals(new VerificationReport(700, 1, 0, 0, 0), verify(Optional.empty()));
        assertEquals(List.of(), faults);
        assertEquals(701, progress.getLast());
        long before = 0;
        for (long now : progress) {
            assertTrue(now - before <= 256, "blocks end at " + progress);
            before = now;
        }
    }

    @Test
    void forgedEventsAreFoundWhereverTheyAre() throws IOException {
        var served = Forgery.of(note(1));
        var held = Forgery.of(StoreSamples.event(1, Kinds.STATE, DATE, List.of(List.of("d", "x")), ""));
        var gate = Forgery.of(StoreSamples.event(
                2, Kinds.DELETION, DATE, List.of(List.of("e", note(9).id().toHex())), ""));
        write(transaction -> transaction.save(note(0)));
        write(transaction -> transaction.save(served));
        write(transaction -> transaction.hold(held(held)));
        write(transaction -> transaction.save(gate));

        assertEquals(new VerificationReport(2, 1, 1, 3, 0), verify(Optional.empty()));
        assertEquals(
                List.of(
                        fault(Place.SERVED, served, false),
                        fault(Place.HELD, held, false),
                        fault(Place.GATE, gate, false)),
                faults);
        assertEquals(2, served().size());

        faults.clear();
        assertEquals(new VerificationReport(2, 1, 1, 3, 3), verify(removal()));
        assertEquals(
                List.of(
                        fault(Place.SERVED, served, true),
                        fault(Place.HELD, held, true),
                        fault(Place.GATE, gate, true)),
                faults);
        assertEquals(List.of(note(0)), served());
        assertEquals(0, rows(Table.HELD_IDS));
        assertEquals(0, rows(Table.GATES));
        assertEquals(0, rows(Table.BANS));
        assertEquals(new VerificationReport(1, 0, 0, 0, 0), verify(removal()));
    }

    private static EventFault fault(Place place, Event event, boolean isRemoved) {
        return new EventFault(place, event.id(), event.author(), event.kind(), WRONG_SIGNATURE, isRemoved);
    }

    /// P-541: another state may govern now.
    @Test
    void repositoriesOfARemovedStateEnterTheRepairLedger() throws IOException {
        var name = new Identifier("x");
        var tags = List.of(List.of("d", "x"));
        for (int owner : List.of(1, 2, 3)) {
            write(transaction -> transaction.save(StoreSamples.event(owner, Kinds.ANNOUNCEMENT, DATE, tags, "")));
        }
        var hosted = new RepositoryAddress(StoreSamples.author(1), name);
        var withdrawn = new RepositoryAddress(StoreSamples.author(2), name);
        write(transaction -> {
            transaction.put(Standing.hosted(hosted, Instant.EPOCH));
            transaction.put(Standing.withdrawn(withdrawn, Instant.EPOCH));
            return true;
        });
        write(transaction -> transaction.save(Forgery.of(StoreSamples.event(4, Kinds.STATE, DATE, tags, ""))));
        write(transaction -> transaction.remove(Table.REPAIRS, RowKeys.repository(hosted)));
        assertEquals(0, rows(Table.REPAIRS));
        assertEquals(1, verify(removal()).removed());
        assertTrue(opened.store()
                .read(view -> view.findRow(Table.REPAIRS, RowKeys.repository(hosted)))
                .isPresent());
        assertEquals(1, rows(Table.REPAIRS));
    }

    @Test
    void aFaultIsOneJsonObject() {
        var event = note(1);
        assertEquals(
                "{\"place\":\"served\",\"id\":\"" + event.id() + "\",\"author\":\"" + event.author()
                        + "\",\"kind\":1,\"problem\":\"" + WRONG_SIGNATURE + "\",\"removed\":true}",
                fault(Place.SERVED, event, true).json().toString());
    }

    @Test
    void onlyTheVeryEventThatWasJudgedIsRemoved() {
        var good = note(1);
        write(transaction -> transaction.save(good));
        var stored = opened.store().read(view -> view.find(good.id())).orElseThrow();
        var other = new StoredEvent(stored.number(), Forgery.of(good).json().toArray(), 0);
        var removal = removal().orElseThrow();
        assertEquals(
                List.of(false, true, false),
                List.of(removal.withdraw(other), removal.withdraw(stored), removal.withdraw(stored)));
    }

    @Test
    void aWatcherThatHasHadEnoughEndsIt() {
        write(transaction -> transaction.save(note(0)));
        var tired = new EventVerification.Watcher() {
            @Override
            public void fault(EventFault fault) {
                throw new AssertionError("there is no fault");
            }

            @Override
            public void progress(long events, long total) throws IOException {
                throw new IOException("enough");
            }
        };
        var verification = new EventVerification(opened.store(), Optional.empty(), tired, 2);
        assertEquals(
                "enough", assertThrows(IOException.class, verification::run).getMessage());
    }
}
