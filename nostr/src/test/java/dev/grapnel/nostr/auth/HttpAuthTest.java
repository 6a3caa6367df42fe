package dev.grapnel.nostr.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Samples;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.url.RequestTarget;
import dev.grapnel.nostr.url.ServiceAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class HttpAuthTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final ServiceAddress SERVICE =
            ServiceAddress.parse("git.example.com", "/").require();
    private static final RequestTarget TARGET =
            RequestTarget.parse("/api?x=1&y").require();
    private static final String URL = "https://git.example.com/api?x=1&y";
    private static final Bytes HASH = sha256("body");

    @Test
    void whatAClientSendsIsAccepted() {
        var plain = HttpAuth.draft(URL, "GET", NOW).sign(Samples.KEY, new Random(1));
        var withBody = HttpAuth.draft(URL, "POST", HASH, NOW).sign(Samples.KEY, new Random(1));

        assertEquals("", judged(HttpAuth.parseHeader(HttpAuth.header(plain)).require(), request("GET", false)));
        assertEquals("", judged(HttpAuth.parseHeader(HttpAuth.header(withBody)).require(), request("POST", true)));
    }

    @Test
    void bothAlphabetsWithAndWithoutPaddingAreRead() {
        for (var content : List.of("a", "bb", "ccc", "???>>>~~~")) {
            var event = Samples.note(content, List.of());
            var json = event.json().toArray();
            for (var encoder : List.of(
                    Base64.getEncoder(),
                    Base64.getUrlEncoder(),
                    Base64.getEncoder().withoutPadding(),
                    Base64.getUrlEncoder().withoutPadding())) {
                for (var scheme : List.of("Nostr ", "nostr ", "NOSTR  ")) {
                    assertEquals(Parsed.valid(event), HttpAuth.parseHeader(scheme + encoder.encodeToString(json)));
                }
            }
        }
    }

    @Test
    void otherHeadersAreRefused() {
        for (var header : List.of(
                "",
                "Nostr",
                "Nostr ",
                "Basic eDp5",
                "Bearer x",
                "Nostr !!!",
                "Nostr e30=",
                "Nostr W10=",
                "Nostr " + "A".repeat(20_000))) {
            assertTrue(HttpAuth.parseHeader(header).find().isEmpty(), header);
        }
    }

    @Test
    void eachCheckFailsAlone() {
        var good = List.of(List.of("u", URL), List.of("method", "GET"), List.of("payload", HASH.toHex()));
        assertEquals("", judged(event(27235, 0, good), request("GET", true)));
        assertEquals("", judged(event(27235, 60, good), request("GET", true)));
        assertRefused(event(27234, 0, good), "kind 27235");
        assertRefused(event(27235, 61, good), "60 seconds");
        assertRefused(event(27235, -61, good), "60 seconds");
        assertRefused(event(27235, 0, without(good, 0)), "u tag");
        assertRefused(event(27235, 0, with(good, List.of("u", URL))), "u tag");
        assertRefused(event(27235, 0, without(good, 1)), "method tag");
        assertRefused(event(27235, 0, with(good, List.of("method", "GET"))), "method tag");
        assertRefused(event(27235, 0, with(without(good, 1), List.of("method", "get"))), "method tag");
        assertRefused(event(27235, 0, without(good, 2)), "payload tag");
        assertRefused(
                event(
                        27235,
                        0,
                        with(
                                without(good, 2),
                                List.of("payload", sha256("other").toHex()))),
                "payload tag");
        assertRefused(event(27235, 0, with(good, List.of("payload", "x"))), "payload tag");
    }

    @Test
    void tagsWithoutValueCount() {
        var good = List.of(List.of("u", URL), List.of("method", "GET"));
        assertTrue(judged(event(27235, 0, with(good, List.of("u"))), request("GET", false))
                .contains("u tag"));
        assertTrue(judged(event(27235, 0, with(good, List.of("method"))), request("GET", false))
                .contains("method tag"));
        assertTrue(judged(event(27235, 0, with(good, List.of("payload"))), request("GET", false))
                .contains("payload tag"));
    }

    @Test
    void aRequestCarriesAWholeHash() {
        assertThrows(IllegalArgumentException.class, () -> new HttpAuth.Request("GET", TARGET, Bytes.EMPTY, true));
    }

    @Test
    void aPayloadThatIsNotRequiredMustStillBeRight() {
        var tags = List.of(List.of("u", URL), List.of("method", "GET"));

        assertEquals("", judged(event(27235, 0, tags), request("GET", false)));
        var wrong = with(tags, List.of("payload", sha256("other").toHex()));
        assertTrue(judged(event(27235, 0, wrong), request("GET", false)).contains("payload tag"));
    }

    @Test
    void theUrlIsTheOneTheClientSees() {
        for (var url : List.of(
                "https://git.example.com/api?x=1&y",
                "http://git.example.com:80/api?x=1&y",
                "wss://GIT.example.com/api/?x=1&y")) {
            assertEquals("", judged(event(27235, 0, tags(url)), request("GET", false)), url);
        }
        for (var url : List.of(
                "https://git.example.com/api",
                "https://git.example.com/api?x=1",
                "https://git.example.com/other?x=1&y",
                "https://git.example.com:8443/api?x=1&y",
                "https://evil.org/api?x=1&y",
                "/api?x=1&y",
                "https://u@git.example.com/api?x=1&y",
                "")) {
            assertTrue(judged(event(27235, 0, tags(url)), request("GET", false)).contains("u tag"), url);
        }
    }

    @Test
    void aWrongSignatureIsRefused() {
        var event = event(27235, 0, tags(URL));
        var other = event(27235, 1, tags(URL));
        var forged = Samples.read(event.toString()
                .replace(event.signature().toString(), other.signature().toString()));

        assertTrue(judged(forged, request("GET", false)).contains("signature"));
    }

    private static List<List<String>> tags(String url) {
        return List.of(List.of("u", url), List.of("method", "GET"));
    }

    private static List<List<String>> with(List<List<String>> tags, List<String> tag) {
        var more = new ArrayList<>(tags);
        more.add(tag);
        return more;
    }

    private static List<List<String>> without(List<List<String>> tags, int index) {
        var fewer = new ArrayList<>(tags);
        fewer.remove(index);
        return fewer;
    }

    private static Event event(int kind, long seconds, List<List<String>> tags) {
        return Samples.event(NOW.getEpochSecond() + seconds, kind, tags, "");
    }

    private static HttpAuth.Request request(String method, boolean payloadRequired) {
        return new HttpAuth.Request(method, TARGET, HASH, payloadRequired);
    }

    private static void assertRefused(Event event, String words) {
        var reason = judged(event, request("GET", true));
        assertTrue(reason.contains(words), reason);
    }

    private static String judged(Event event, HttpAuth.Request request) {
        return HttpAuth.judge(event, request, SERVICE, NOW).orElse("");
    }

    private static Bytes sha256(String text) {
        try {
            return Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(Samples.utf8(text)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
