package dev.grapnel.server.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What stands in pages, and what never does (service 2.7).
final class PageTest {
    private static String html(Markup markup) {
        var out = new StringBuilder();
        markup.write(out);
        return out.toString();
    }

    private static String landing(Map<String, String> variables) {
        var configuration = Site.configuration(variables);
        var identity = Site.identity(configuration);
        var facts = new Nip11(configuration, identity, Features.RELAY_ONLY);
        return new LandingPage(facts, identity, identity.homePath()).page().html();
    }

    @Test
    void textAndAttributesAreEscaped() {
        assertEquals(
                "<p title=\"&quot;&#39;&lt;&amp;\">&lt;script&gt;&amp;amp;&quot;&#39;</p>",
                html(Markup.element("p", "<script>&amp;\"'").with("title", "\"'<&")));
    }

    @Test
    void whatIsNoCharacterIsReplaced() {
        assertEquals(
                "<p>\ufffd\ufffd\ufffd\n\t\ud83d\udc80</p>",
                html(Markup.element("p", "\u0000\u001b\ud800\n\t\ud83d\udc80")));
    }

    @Test
    void onlyHarmlessAddressesBecomeLinks() {
        for (var address :
                List.of("https://example.com", "HTTP://example.com", "mailto:a@b", "nostr:npub1x", "/path")) {
            assertTrue(html(Markup.link(address, "x")).startsWith("<a href=\""), address);
        }
        for (var address :
                List.of("javascript:alert(1)", " javascript:x", "data:text/html,x", "java\nscript:x", "", "x@y")) {
            assertEquals("x", html(Markup.link(address, "x")), address);
        }
        assertEquals("<a href=\"https://x/&quot;&gt;\">y</a>", html(Markup.link("https://x/\">", "y")));
    }

    @Test
    void hostileSettingsStayText() {
        var page = landing(Map.of(
                "RELAY_NAME", "</title><script>alert(1)</script>",
                "RELAY_DESCRIPTION", "<img src=x onerror=alert(2)>\n\n\"quoted\"",
                "CONTACT", "javascript:alert('3')"));
        assertFalse(page.contains("<script"), page);
        assertFalse(page.contains("<img src=x"), page);
        assertFalse(page.contains("href=\"javascript"), page);
        assertTrue(page.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"), page);
        assertTrue(page.contains("<p>&quot;quoted&quot;</p>"), page);
        assertTrue(page.contains("<dd>javascript:alert(&#39;3&#39;)</dd>"), page);
    }

    @Test
    void landingPageTellsTheFactsAndHowToUseThem() {
        var page = landing(Map.of("MAX_SUBSCRIPTIONS", "4321", "CONTACT", "mailto:me@example.com"));
        for (var part : List.of(
                "<html lang=\"en\">",
                "<h1>git.example.com grasp relay</h1>",
                "Git Nostr Relay - a grasp implementation",
                "<code>wss://git.example.com</code>",
                "<code>npub1",
                "<a href=\"mailto:me@example.com\">me@example.com</a>",
                "Grapnel 1.2.3-abc1234",
                "5 MiB",
                "4,321",
                ">NIP-77</a>",
                "curl -H &#39;Accept: application/nostr+json&#39; https://git.example.com/",
                "nak req")) {
            assertTrue(page.contains(part), part);
        }
    }

    @Test
    void pagesBelowBasePathLinkBelowIt() {
        var page = landing(Map.of("BASE_PATH", "/a%22b/c"));
        assertTrue(page.contains("src=\"/a%22b/c/icon.png\""), page);
        assertTrue(page.contains("<code>wss://git.example.com/a%22b/c</code>"), page);
    }

    @Test
    void colourOfTextIsReadableOnEveryGround() {
        var css = new String(Page.resource("page.css"), java.nio.charset.StandardCharsets.UTF_8);
        var schemes = css.split("@media \\(prefers-color-scheme: dark\\)", 2);
        for (var scheme : schemes) {
            for (var text : List.of("text", "soft", "accent", "good", "warn", "bad")) {
                for (var ground : List.of("back", "card", "code")) {
                    double contrast = contrast(colour(scheme, text), colour(scheme, ground));
                    assertTrue(contrast >= 4.5, text + " on " + ground + " has " + contrast);
                }
            }
        }
    }

    private static int colour(String css, String name) {
        var found = Pattern.compile("--" + name + ": #([0-9a-f]{6});").matcher(css);
        assertTrue(found.find(), name);
        return Integer.parseInt(found.group(1), 16);
    }

    /// As WCAG defines it.
    private static double contrast(int a, int b) {
        double first = luminance(a);
        double second = luminance(b);
        return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    }

    private static double luminance(int colour) {
        return 0.2126 * linear(colour >> 16) + 0.7152 * linear(colour >> 8) + 0.0722 * linear(colour);
    }

    private static double linear(int channel) {
        double value = (channel & 0xff) / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }
}
