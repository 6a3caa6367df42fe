package dev.grapnel.server.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.server.ops.SyncView;
import dev.grapnel.sync.MadeUpSync;
import dev.grapnel.sync.SyncPicture;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What people and programs read about sync.
@Timeout(60)
final class SyncPagesTest {
    private record Shown(Optional<SyncPicture> picture) implements SyncView {
        @Override
        public boolean isOn() {
            return true;
        }

        @Override
        public int compareNow(Optional<RemoteUrl> one) {
            return 0;
        }

        @Override
        public long inboundBytes() {
            return 0;
        }
    }

    private static SyncView showing(SyncPicture.Relay... relays) {
        return new Shown(Optional.of(MadeUpSync.picture(relays)));
    }

    private static String page(SyncView view) {
        return new SyncPages(view, Site.identity(Site.configuration(Map.of())), "/")
                .html()
                .html();
    }

    private static void assertInOrder(String page, String... parts) {
        int from = 0;
        for (var part : parts) {
            int at = page.indexOf(part, from);
            assertTrue(at >= 0, part + " is not behind what should stand before it in\n" + page);
            from = at + part.length();
        }
    }

    @Test
    void thoseToLookAtStandFirstWithWhatTheyDid() {
        var page = page(showing(
                MadeUpSync.well("wss://a.example"),
                MadeUpSync.ill("wss://z.example", "sent events with wrong signatures"),
                MadeUpSync.busy("wss://boot.example")));
        assertInOrder(
                page,
                "It knows 3 relays and is connected to 2; 2 need a look.",
                "<h2>wss://boot.example</h2>",
                "<li class=\"warn\">connected with failures</li><li class=\"warn\">rate limited</li>",
                "<dt>Awaited</dt><dd>4 batches, the oldest for 1 min 15 s; 2 batches to be tried again; 17 events to be"
                        + " judged</dd>",
                "<dt>Subscriptions</dt><dd>3 live, 8 for what is stored, 1 comparing; at most 20</dd>",
                "<dt>Asked nothing for</dt><dd>1 min 5 s more: it wants fewer requests</dd>",
                "<dt>Not streamed</dt><dd>answers in threads, and quotations</dd>",
                "<h2>wss://z.example</h2>",
                "<li class=\"warn\">degraded</li>",
                "<li>it sent events with wrong signatures, 12 times, last 3 min ago</li>",
                "<dt>Next try</dt><dd>in 1 min 20 s, after failing</dd>",
                "<dt>Failures in a row</dt><dd>5</dd>",
                "<dt>Left because</dt><dd>it fell silent</dd>",
                "<dt>Found out</dt><dd>at most 12 subscriptions at once, until 2026-01-02 04:04:05 UTC</dd>",
                "<h2>wss://a.example</h2>",
                "<dt>Complete until</dt><dd>7 s ago</dd>",
                "What is wanted",
                "<dt>Announcements that wait</dt><dd>3</dd>",
                "<dt>Answers to something that is not here</dt><dd>11</dd>");
    }

    @Test
    void itReloadsItselfAndFitsATelephoneWithoutScripts() {
        var page = page(showing(MadeUpSync.well("wss://a.example")));
        assertInOrder(page, "name=\"viewport\"", "<meta http-equiv=\"refresh\" content=\"10\">");
        assertFalse(page.contains("<script"), "works without");
        assertFalse(page.contains("<table"), "nothing is wider than a telephone");
    }

    @Test
    void addressesOfStrangersAreEscapedAndTheirQueriesHidden() {
        var page = page(showing(MadeUpSync.well("wss://a.example/'<b>&?token=<secret>")));
        assertFalse(page.contains("<b>"), page);
        assertFalse(page.contains("secret"), page);
        assertTrue(page.contains("wss://a.example/&#39;%3Cb%3E&amp;?…"), page);
    }

    @Test
    void noMoreThanFiveHundredAreShownAndTheRestIsCounted() {
        var relays = IntStream.range(0, 720)
                .mapToObj(i -> i == 700
                        ? MadeUpSync.ill("wss://ill.example", "was lost")
                        : MadeUpSync.well("wss://r" + i + ".example"))
                .toArray(SyncPicture.Relay[]::new);
        var page = page(showing(relays));
        assertEquals(500, page.split("<dt>Complete until</dt>", -1).length - 1);
        assertInOrder(page, "wss://ill.example", "wss://r0.example", "and 220 more");
    }

    @Test
    void whatIsNotThereIsSaid() {
        assertTrue(page(SyncView.OFF).contains("Sync is switched off: this server follows no other relay."));
        assertTrue(page(new Shown(Optional.empty())).contains("Sync does not answer just now."));
        assertTrue(page(showing()).contains("No announcement here names another relay yet."));
    }

    @Test
    void programsGetTheSameAndNothingIsKept() throws IOException {
        try (var site = new Site(Map.of(), showing(MadeUpSync.ill("wss://z.example", "was lost")))) {
            var page = site.raw("GET /status HTTP/1.1", "Host: x", "Connection: close");
            assertEquals(200, page.status());
            assertEquals(List.of("no-store"), page.all("Cache-Control"));
            assertEquals(List.of("text/html; charset=utf-8"), page.all("Content-Type"));
            assertEquals(1, page.all("Content-Security-Policy").size());
            for (var request : List.of("GET /status.json HTTP/1.1", "GET /status HTTP/1.1")) {
                var json = site.raw(request, "Host: x", "Accept: application/json", "Connection: close");
                assertEquals(List.of("application/json; charset=utf-8"), json.all("Content-Type"));
                assertEquals(List.of("no-store"), json.all("Cache-Control"));
                assertInOrder(
                        json.body(),
                        "{\"sync\":\"on\",\"takenAt\":\"2026-01-02T03:04:05Z\",\"ready\":true,\"cutOff\":false",
                        "\"waitingAnnouncements\":3",
                        "\"refused\":{\"all\":11,\"orphan\":11}",
                        "\"relays\":[{\"relay\":\"wss://z.example\",\"state\":\"disconnected\",\"status\":\"degraded\"",
                        "\"lagSeconds\":7",
                        "\"requestsPerSecond\":0.25",
                        "\"nextTrySeconds\":80",
                        "\"limits\":[{\"name\":\"subscriptions\",\"value\":12",
                        "\"troubles\":[{\"words\":\"it was lost, 12 times, last 3 min ago\",\"count\":12",
                        "}],\"moreRelays\":0}");
            }
        }
    }

    @Test
    void onlyThoseWhoMayReadFiguresMayReadIt() throws IOException {
        try (var site = new Site(Map.of("METRICS_ALLOW", "10.0.0.0/8"), showing())) {
            for (var path : List.of("/status", "/status.json")) {
                var request = "GET " + path + " HTTP/1.1";
                assertEquals(
                        404, site.raw(request, "Host: x", "Connection: close").status());
                assertEquals(
                        200,
                        site.raw(request, "Host: x", "Test-Address: 10.1.2.3", "Connection: close")
                                .status());
            }
        }
    }
}
