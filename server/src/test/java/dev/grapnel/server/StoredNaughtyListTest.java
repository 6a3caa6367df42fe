package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.url.Host;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.purgatory.hunt.NaughtyCause;
import dev.grapnel.purgatory.hunt.NaughtyList;
import dev.grapnel.purgatory.hunt.Site;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.memory.KeptMemory;
import dev.grapnel.store.row.Naughty;
import dev.grapnel.store.row.Naughty.Fault;
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
    private static final Site SITE = Site.secure(HOST);
    private static final Site PLAIN = new Site(Scheme.WS, HOST, 20_001);
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

    private static Site site(String url) {
        return Site.of(RemoteUrl.parse(url, UrlShape.configuredRelay()).require());
    }

    private void put(Remote remote, int failures, Optional<Naughty> entry) {
        var row = new RelayHealth(
                remote,
                failures,
                Optional.of(now).filter(_ -> failures > 0),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                entry,
                List.of());
        store.write(Urgency.WAITING, 0, transaction -> {
                    transaction.put(row);
                    return true;
                })
                .join();
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
        assertEquals(Optional.empty(), list.find(SITE), "its relay has done nothing");
        list.add(SITE, NaughtyCause.DNS);
        assertEquals(
                Optional.of(new NaughtyList.Blame(NaughtyCause.DNS, "https://a.example", now.plus(PERIOD))),
                list.find(SITE));
        assertTrue(list.find(PLAIN).isPresent(), "the name is missing for all ports");
        assertEquals(Optional.empty(), list.find(Site.secure(new Host("b.a.example"))));
        assertEquals(Map.of(NaughtyCause.DNS, 1L, NaughtyCause.HOSTILE, 1L), list.counts());
    }

    /// Sync R6.10: a certificate is that of a port, and of those who speak TLS there.
    @Test
    void aCertificateOfAPortShutsOutNobodyElse() {
        var port = site("wss://a.example:20500");
        list.add(port, NaughtyCause.TLS);
        restart();
        assertEquals(
                "the certificate of wss://a.example:20500 is not valid",
                list.find(new Site(Scheme.HTTPS, HOST, 20_500)).orElseThrow().words());
        assertEquals(Optional.empty(), list.find(SITE));
        assertEquals(Optional.empty(), list.find(PLAIN));
        assertEquals(Optional.empty(), list.find(site("ws://a.example:20500")));
        list.add(SITE, NaughtyCause.TLS);
        assertTrue(list.find(site("wss://a.example")).isPresent(), "git and relay have one certificate");
        list.remove(port);
        assertEquals(Optional.empty(), list.find(port));
        assertTrue(list.find(SITE).isPresent());
    }

    /// Earlier versions wrote no port.
    @Test
    void aCertificateThatWasBlamedOnAWholeHostIsThatOfItsUsualPort() {
        var until = now.plus(PERIOD);
        for (var text : List.of("a.example", "[2001:db8::1]")) {
            var entry = new Naughty(Fault.TLS_CERTIFICATE_INVALID, now, now, 1, until, Optional.empty());
            put(new Remote(Remote.Type.HOST, text), 0, Optional.of(entry));
        }
        for (int time = 0; time < 2; time++) {
            restart();
            assertEquals(Map.of(NaughtyCause.TLS, 2L), list.counts());
            assertEquals(
                    Optional.of(new NaughtyList.Blame(NaughtyCause.TLS, "", until)),
                    list.find(site("wss://[2001:db8::1]")));
            assertTrue(list.find(SITE).isPresent());
            assertEquals(Optional.empty(), list.find(site("wss://a.example:20500")));
            assertEquals(Optional.empty(), list.find(PLAIN));
        }
        list.remove(SITE);
        restart();
        assertEquals(Optional.empty(), list.find(SITE));
    }

    @Test
    void aRestartForgetsNobody() {
        list.addUrl(URL, NaughtyCause.HOSTILE);
        list.add(SITE, NaughtyCause.TLS);
        var until = now.plus(PERIOD);
        now = now.plus(Duration.ofHours(1));
        restart();
        assertEquals(Optional.of(until), list.findUrl(URL));
        assertEquals(Optional.of(until), list.find(SITE).map(NaughtyList.Blame::until));
        assertEquals(Map.of(NaughtyCause.TLS, 1L, NaughtyCause.HOSTILE, 1L), list.counts());
        assertFalse(list.add(SITE, NaughtyCause.TLS).isFirst(), "somebody was told already");
    }

    @Test
    void whoIsTakenOffTheListStaysOffIt() {
        list.addUrl(URL, NaughtyCause.HOSTILE);
        list.add(SITE, NaughtyCause.TLS);
        list.removeUrl(URL);
        list.remove(SITE);
        assertEquals(Map.of(), list.counts());
        restart();
        assertEquals(Optional.empty(), list.findUrl(URL));
        assertEquals(Optional.empty(), list.find(SITE));
    }

    /// Row 144.
    @Test
    void theTimeIsTheSameHoweverOftenItFailsAndBeginsAnewAfterwards() {
        assertTrue(list.add(SITE, NaughtyCause.DNS).isFirst());
        var until = now.plus(PERIOD);
        now = now.plus(Duration.ofHours(11));
        assertEquals(new NaughtyList.Entry(Optional.of(until), false), list.add(SITE, NaughtyCause.DNS));
        now = until.minusMillis(1);
        assertTrue(list.find(SITE).isPresent());
        now = until;
        assertEquals(Optional.empty(), list.find(SITE));
        assertEquals(Map.of(), list.counts());
        assertEquals(new NaughtyList.Entry(Optional.of(now.plus(PERIOD)), false), list.add(SITE, NaughtyCause.DNS));
        restart();
        assertTrue(list.find(SITE).isPresent());
    }

    /// P-675: without a network of our own nobody else is to blame.
    @Test
    void whileWeAreCutOffNobodyIsPutOnTheList() {
        isCutOff = true;
        assertEquals(new NaughtyList.Entry(Optional.empty(), false), list.add(SITE, NaughtyCause.DNS));
        assertEquals(Optional.empty(), list.find(SITE));
        isCutOff = false;
        assertTrue(list.add(SITE, NaughtyCause.DNS).isFirst());
    }

    /// What relay links know of a host stays.
    @Test
    void whatElseIsKnownOfAHostStays() {
        var remote = new Remote(Remote.Type.HOST, HOST.text());
        put(remote, 3, Optional.empty());
        list.add(SITE, NaughtyCause.DNS);
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
            list.add(Site.secure(new Host("h" + i + ".example")), NaughtyCause.DNS);
            now = now.plusMillis(1);
        }
        list.add(SITE, NaughtyCause.DNS);
        assertEquals(Map.of(NaughtyCause.DNS, 10_000L), list.counts());
        assertEquals(Optional.empty(), list.find(Site.secure(new Host("h0.example"))));
        assertTrue(list.find(Site.secure(new Host("h1.example"))).isPresent());
        assertTrue(list.find(SITE).isPresent());
        restart();
        assertEquals(Map.of(NaughtyCause.DNS, 10_000L), list.counts());
        assertTrue(list.find(SITE).isPresent());
    }
}
