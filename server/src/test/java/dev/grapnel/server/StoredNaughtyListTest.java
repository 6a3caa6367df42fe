package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.NaughtyCause;
import dev.grapnel.purgatory.hunt.NaughtyList;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.memory.KeptMemory;
import dev.grapnel.store.row.RelayHealth;
import dev.grapnel.store.row.Remote;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Whom hunting leaves alone, across restarts (P-671, P-675).
final class StoredNaughtyListTest {
    private static final Host HOST = new Host("a.example");
    private static final String URL = "https://a.example/x.git";
    private static final Duration PERIOD = Duration.ofHours(12);

    private final KeptMemory memory = new KeptMemory(1_000);
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private boolean isCutOff;
    private EventStore store = open();
    private NaughtyList list = new StoredNaughtyList(store, PERIOD, () -> now, () -> isCutOff);

    @AfterEach
    void close() {
        store.close();
    }

    private EventStore open() {
        return new TableStore(memory.get(), StoreRules.DEFAULTS, WriterConfig.DEFAULTS, () -> now, new UnharmedStore());
    }

    private void restart() {
        store.close();
        store = open();
        list = new StoredNaughtyList(store, PERIOD, () -> now, () -> isCutOff);
    }

    @Test
    void hostsAndUrlsAreApart() {
        list.addUrl(URL, NaughtyCause.HOSTILE);
        assertEquals(Optional.of(now.plus(PERIOD)), list.findUrl(URL));
        assertEquals(Optional.empty(), list.findUrl("https://a.example/y.git"));
        assertEquals(Optional.empty(), list.findHost(HOST), "its relay has done nothing");
        list.addHost(HOST, NaughtyCause.DNS);
        assertEquals(Optional.of(now.plus(PERIOD)), list.findHost(HOST));
        assertEquals(Optional.of(NaughtyCause.DNS), list.findCause(HOST));
        assertEquals(Optional.empty(), list.findHost(new Host("b.a.example")));
        assertEquals(Optional.empty(), list.findCause(new Host("b.a.example")));
        assertEquals(Map.of(NaughtyCause.DNS, 1L, NaughtyCause.HOSTILE, 1L), list.counts());
    }

    @Test
    void aRestartForgetsNobody() {
        list.addUrl(URL, NaughtyCause.HOSTILE);
        list.addHost(HOST, NaughtyCause.TLS);
        var until = now.plus(PERIOD);
        now = now.plus(Duration.ofHours(1));
        restart();
        assertEquals(Optional.of(until), list.findUrl(URL));
        assertEquals(Optional.of(until), list.findHost(HOST));
        assertEquals(Map.of(NaughtyCause.TLS, 1L, NaughtyCause.HOSTILE, 1L), list.counts());
        assertFalse(list.addHost(HOST, NaughtyCause.TLS).isFirst(), "somebody was told already");
    }

    @Test
    void whoIsTakenOffTheListStaysOffIt() {
        list.addUrl(URL, NaughtyCause.HOSTILE);
        list.addHost(HOST, NaughtyCause.TLS);
        list.removeUrl(URL);
        list.removeHost(HOST);
        assertEquals(Map.of(), list.counts());
        restart();
        assertEquals(Optional.empty(), list.findUrl(URL));
        assertEquals(Optional.empty(), list.findHost(HOST));
    }

    /// Row 144.
    @Test
    void theTimeIsTheSameHoweverOftenItFailsAndBeginsAnewAfterwards() {
        assertTrue(list.addHost(HOST, NaughtyCause.DNS).isFirst());
        var until = now.plus(PERIOD);
        now = now.plus(Duration.ofHours(11));
        assertEquals(new NaughtyList.Entry(Optional.of(until), false), list.addHost(HOST, NaughtyCause.TLS));
        now = until.minusMillis(1);
        assertTrue(list.findHost(HOST).isPresent());
        now = until;
        assertEquals(Optional.empty(), list.findHost(HOST));
        assertEquals(Map.of(), list.counts());
        assertEquals(new NaughtyList.Entry(Optional.of(now.plus(PERIOD)), false), list.addHost(HOST, NaughtyCause.DNS));
        restart();
        assertTrue(list.findHost(HOST).isPresent());
    }

    /// P-675: without a network of our own nobody else is to blame.
    @Test
    void whileWeAreCutOffNobodyIsPutOnTheList() {
        isCutOff = true;
        assertEquals(new NaughtyList.Entry(Optional.empty(), false), list.addHost(HOST, NaughtyCause.DNS));
        assertEquals(Optional.empty(), list.findHost(HOST));
        isCutOff = false;
        assertTrue(list.addHost(HOST, NaughtyCause.DNS).isFirst());
    }

    /// What relay links know of a host stays.
    @Test
    void whatElseIsKnownOfAHostStays() {
        var remote = new Remote(Remote.Type.HOST, HOST.text());
        var known = new RelayHealth(
                remote,
                3,
                Optional.of(now),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of());
        store.write(Urgency.WAITING, 0, transaction -> {
                    transaction.put(known);
                    return true;
                })
                .join();
        list.addHost(HOST, NaughtyCause.DNS);
        store.write(Urgency.WAITING, 0, _ -> true).join();
        var row = (RelayHealth) store.read(view -> view.findRow(Table.RELAY_HEALTH, RowKeys.remote(remote)))
                .orElseThrow();
        assertEquals(3, row.failures());
        assertEquals(Optional.of(now), row.failingSince());
        assertEquals(Optional.of(now.plus(PERIOD)), row.naughty().map(naughty -> naughty.until()));
    }

    /// Strangers invent names.
    @Test
    void beyondItsSizeTheOneGoesThatEndsFirst() {
        for (int i = 0; i < 10_000; i++) {
            list.addHost(new Host("h" + i + ".example"), NaughtyCause.DNS);
            now = now.plusMillis(1);
        }
        list.addHost(HOST, NaughtyCause.DNS);
        assertEquals(Map.of(NaughtyCause.DNS, 10_000L), list.counts());
        assertEquals(Optional.empty(), list.findHost(new Host("h0.example")));
        assertTrue(list.findHost(new Host("h1.example")).isPresent());
        assertTrue(list.findHost(HOST).isPresent());
        restart();
        assertEquals(Map.of(NaughtyCause.DNS, 10_000L), list.counts());
        assertTrue(list.findHost(HOST).isPresent());
    }
}
