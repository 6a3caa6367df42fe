package dev.grapnel.nostr.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Parsed;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WebUrlTest {
    @Test
    void partsAreTakenApart() {
        var url = parse("HTTPS://u:p@GIT.Example.com:8443/a/b%20c/?x=%41#top");
        assertEquals(Scheme.HTTPS, url.scheme());
        assertEquals("git.example.com", url.host().text());
        assertEquals(8443, url.port());
        assertEquals(List.of("a", "b c", ""), url.target().segments());
        assertEquals("x=%41", url.target().query());
        assertEquals(true, url.hasUserInfo());
        assertEquals(true, url.hasFragment());
        assertEquals(false, url.isBare());
    }

    @ParameterizedTest
    @CsvSource({
        "http://a.b, 80",
        "https://a.b, 443",
        "ws://a.b, 80",
        "wss://a.b, 443",
        "wss://a.b:443, 443",
        "ws://a.b:443, 443",
        "http://a.b:65535, 65535"
    })
    void portNotGivenIsThatOfTheScheme(String text, int port) {
        assertEquals(port, parse(text).port());
    }

    @ParameterizedTest
    @CsvSource({
        "https://A.Example.COM:443/x, https://a.example.com/x",
        "https://a.example.com., https://a.example.com",
        "http://a.b:443/, http://a.b:443/",
        "wss://bücher.example/ä, wss://xn--bcher-kva.example/%C3%A4",
        "wss://XN--BCHER-KVA.example, wss://xn--bcher-kva.example",
        "wss://BÜCHER.example, wss://xn--bcher-kva.example",
        "wss://bücher.example., wss://xn--bcher-kva.example",
        "wss://bu\u0308cher.example, wss://xn--bcher-kva.example",
        "wss://BU\u0308CHER.example, wss://xn--bcher-kva.example",
        "http://u:p@a.b/?q#f, http://a.b/?q",
        "http://[2001:DB8:0:0:1:0:0:1]:80/, http://[2001:db8::1:0:0:1]/",
        "http://[0:0:0:0:0:0:0:1]:8080, http://[::1]:8080",
        "http://[::], http://[::]",
        "http://[1:0:2:3:4:5:6:7], http://[1:0:2:3:4:5:6:7]",
        "http://[::ffff:1.2.3.4], http://1.2.3.4",
        "http://[::FFFF:102:304], http://1.2.3.4",
        "http://[0:0:0:0:0:ffff:1.2.3.4]:8080, http://1.2.3.4:8080",
        "http://[::1.2.3.4], http://[::102:304]",
        "http://127.0.0.1/%7e, http://127.0.0.1/~",
        "http://my_host-1, http://my_host-1"
    })
    void spellingsOfOneAddressGiveOneText(String text, String normal) {
        var url = parse(text);
        assertEquals(normal, url.toString());
        assertEquals(normal, parse(normal).toString());
    }

    @Test
    void textNeverShowsAPassword() {
        assertEquals("https://a.b/", parse("https://user:secret@a.b/#secret").toString());
    }

    @Test
    void pathIsSplitBeforeItIsDecodedAndDecodedOnce() {
        var target = parse("http://a/x%2Fy//a+b/%2520/%F0%9F%98%80/é").target();
        assertEquals(List.of("x/y", "", "a+b", "%20", "😀", "é"), target.segments());
        assertEquals(List.of("x/y", "a+b", "%20", "😀", "é"), target.nonEmptySegments());
    }

    @ParameterizedTest
    @CsvSource({"http://a, 0", "http://a/, 1", "http://a//, 2", "http://a?x, 0", "http://a/?, 1"})
    void emptyPathAndSlashesAreToldApart(String text, int segments) {
        assertEquals(segments, parse(text).target().segments().size());
    }

    @Test
    void hostEndsWhereEveryReaderSaysSo() {
        assertEquals(
                "evil.org", parse("https://evil.org#@git.example.com/").host().text());
        assertEquals(
                "evil.org", parse("https://evil.org?@git.example.com/").host().text());
        assertEquals(
                "evil.org", parse("https://evil.org/@git.example.com").host().text());
        assertEquals(
                "evil.org", parse("https://git.example.com@evil.org").host().text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "git.example.com",
                "//git.example.com",
                "http:/a",
                "http:a",
                "ftp://a",
                "file:///etc/passwd",
                "git@host:path",
                "ssh://git@host/path",
                "nostr://npub/x",
                " http://a",
                "http://a ",
                "http://a/b c",
                "http://a/\tb",
                "http://a\\b",
                "http://",
                "http:///x",
                "http://:80",
                "http://a:",
                "http://a:0",
                "http://a:080",
                "http://a:65536",
                "http://a:+80",
                "http://a:80:80",
                "http://a..b",
                "http://.a",
                "http://a..",
                "http://%61.b",
                "http://a!b",
                "http://a,b",
                "http://a／b",
                "http://1.2.3",
                "http://1.2.3.4.5",
                "http://1.2.3.256",
                "http://1.2.3.04",
                "http://0x7f.0.0.1",
                "http://2130706433",
                "http://a.0x10",
                "http://[::1",
                "http://[]",
                "http://[1.2.3.4]",
                "http://[::1%25eth0]",
                "http://[::1%lo]",
                "http://[1:2:3]",
                "http://[:::1]",
                "http://[::1]x",
                "http://::1",
                "http://a/%",
                "http://a/%4",
                "http://a/%zz",
                "http://a/%ff",
                "http://a/%c3%28",
                "http://a/%ed%a0%80",
                "http://a/\ud800"
            })
    void anythingElseIsRefusedWithAReason(String text) {
        assertEquals(Optional.empty(), WebUrl.parse(text).find(), text);
    }

    @Test
    void lengthIsCountedInBytes() {
        var start = "http://a/";
        assertEquals(2048, parse(start + "x".repeat(2039)).toString().length());
        assertEquals(Optional.empty(), WebUrl.parse(start + "x".repeat(2040)).find());
        assertEquals(Optional.empty(), WebUrl.parse(start + "é".repeat(1020)).find());
    }

    @Test
    void namesAndLabelsHaveTheirLongest() {
        var label = "a".repeat(63);
        var name = String.join(".", label, label, label, "a".repeat(61));
        assertEquals(name, parse("http://" + name + ".").host().text());
        assertEquals(Optional.empty(), Host.parse(name + "a").find());
        assertEquals(Optional.empty(), Host.parse(label + "a").find());
    }

    @Test
    void hostIsMadeInNormalFormOnly() {
        assertThrows(IllegalArgumentException.class, () -> new Host("A.b"));
        assertThrows(IllegalArgumentException.class, () -> new Host("[0::1]"));
        assertEquals(Host.parse("[0::1]").require(), new Host("[::1]"));
    }

    @Test
    void requestTargetsAreReadLikeTheEndOfAUrl() {
        assertEquals(
                parse("http://a/x%20y/?q=1").target(),
                RequestTarget.parse("/x%20y/?q=1").require());
        for (var bad : List.of("x", "/#f", "http://a/", "/%", "/a b")) {
            assertEquals(Optional.empty(), RequestTarget.parse(bad).find(), bad);
        }
    }

    @Test
    void everyTextSurvivesBeingEscaped() {
        var random = new Random(7);
        for (int seed = 0; seed < 500; seed++) {
            var text = randomText(random, 12).replace("\ud800", "");
            var escaped = PercentEncoding.encode(text);
            assertEquals(Parsed.valid(text), PercentEncoding.decode(escaped), "round " + seed);
            assertEquals(true, escaped.matches("([A-Za-z0-9_.~-]|%[0-9A-F]{2})*"), escaped);
        }
        assertEquals("my%20repo%2B%25%C3%A9", PercentEncoding.encode("my repo+%é"));
    }

    /// Strangers write these: whatever it is, the answer is a value or a reason, and a value has one normal
    /// form.
    @Test
    void noTextMakesTheReaderThrow() {
        var random = new Random(42);
        for (int round = 0; round < 20_000; round++) {
            var text = "http://" + randomText(random, 10);
            var url = WebUrl.parse(text).find();
            url.ifPresent(first -> {
                var normal = parse(first.toString());
                assertEquals(first.toString(), normal.toString(), text);
                assertEquals(first.target(), normal.target(), text);
            });
        }
    }

    @Test
    void schemesDiffer() {
        assertNotEquals(parse("ws://a"), parse("http://a"));
        assertEquals(true, Scheme.WS.isRelay() && Scheme.WSS.isRelay());
        assertEquals(true, Scheme.HTTP.isWeb() && Scheme.HTTPS.isWeb());
    }

    private static String randomText(Random random, int most) {
        var parts = List.of(
                "a", "B", "0", "1", "255", "256", ".", "。", ":", "::", "[", "]", "@", "/", "//", "?", "#", "%", "%41",
                "%2f", "%ff", "é", "ß", "İ", "😀", "\ud800", "xn--", "-", "_", "+", " ", "\u00ad", "\u200d", "٣", "~");
        var text = new StringBuilder();
        for (int i = random.nextInt(most); i >= 0; i--) {
            int any = random.nextInt(Character.MAX_CODE_POINT + 1);
            boolean plain = random.nextInt(8) > 0 || (any >= 0xd800 && any <= 0xdfff);
            text.append(plain ? parts.get(random.nextInt(parts.size())) : Character.toString(any));
        }
        return text.toString();
    }

    private static WebUrl parse(String text) {
        return WebUrl.parse(text).require();
    }

    /// Older and newer readings of international names fold different letters; a name they disagree on could be one
    /// host to a client and another to us.
    @ParameterizedTest
    @ValueSource(strings = {"faß.de", "ſ.de", "git.exam\u200dple.com", "git.exam\u00adple.com", "a。b", "ｇit.example"})
    void hostsThatProgramsReadDifferentlyAreRefused(String host) {
        assertTrue(WebUrl.parse("wss://" + host).find().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"httpſ://a.b", "wſſ://a.b", "ｈttp://a.b", "ws ://a.b", "://a.b", "ftp://a.b"})
    void otherSchemesAreRefusedAlsoThoseThatLookAlike(String text) {
        assertTrue(WebUrl.parse(text).find().isEmpty());
    }

    /// The JDK's own conversion throws what it does not document for these.
    @Test
    void hostsThatGrowTooLongAreRefused() {
        assertTrue(WebUrl.parse("wss://" + "ü".repeat(1001)).find().isEmpty());
        assertTrue(WebUrl.parse("wss://" + "\ufdfa".repeat(56)).find().isEmpty());
        assertTrue(WebUrl.parse("wss://" + "ü".repeat(200)).find().isEmpty());
    }
}
