package dev.grapnel.server.web;

import static dev.grapnel.server.web.Markup.element;
import static dev.grapnel.server.web.Markup.text;

import dev.grapnel.config.RelaySettings;
import dev.grapnel.server.web.Markup.Element;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What people see who follow a relay's address: what it is, what it takes, how to use it (service 2.7).
final class LandingPage {
    private static final String NIPS = "https://github.com/nostr-protocol/nips/blob/master/";
    private static final long MEBIBYTE = 1L << 20;

    private final Nip11 facts;
    private final ServiceIdentity identity;
    private final String home;

    /// @param home path of the landing page, with a slash at its end
    LandingPage(Nip11 facts, ServiceIdentity identity, String home) {
        this.facts = facts;
        this.identity = identity;
        this.home = home;
    }

    Page page() {
        var main = element(
                "main", connect(), element("div", about(), limits()).with("class", "pair"), protocols(), usage());
        return new Page(facts.name(), home + "icon.png", List.of(header(), main, footer()));
    }

    private Element header() {
        var brand = element(
                        "div",
                        element("img").with("src", home + "icon.png").with("alt", ""),
                        element("h1", facts.name()))
                .with("class", "brand");
        var paragraphs = Arrays.stream(facts.description().split("\\R\\s*\\R", -1))
                .filter(paragraph -> !paragraph.isBlank())
                .<Markup>map(paragraph -> element("p", paragraph))
                .toList();
        return element("header", brand, element("div", paragraphs).with("class", "lead"));
    }

    private Element connect() {
        return section(
                "Connect",
                code(identity.relayUrl()).with("class", "url"),
                element("p", "One click selects the address. Add it to the relays of any Nostr client.")
                        .with("class", "hint"));
    }

    private Element about() {
        var rows = new ArrayList<Markup>();
        rows.add(row("Operator", element("code", identity.npub())));
        facts.contact()
                .ifPresent(contact ->
                        rows.add(row("Contact", Markup.link(contact, contact.replaceFirst("^mailto:", "")))));
        rows.add(row("Writing", text(facts.restrictsWrites() ? "about repositories hosted here" : "any valid event")));
        rows.add(row("Authentication", text(facts.isAuthRequired() ? "required" : "not required")));
        rows.add(row("Payment", text("none")));
        rows.add(row(
                "Software",
                Markup.link(
                        identity.build().homePage(),
                        "Grapnel " + identity.build().text())));
        return section("About", element("dl", rows));
    }

    private Element limits() {
        return section(
                "Limits",
                element(
                        "dl",
                        row("Message", text(bytes(facts.limit(RelaySettings.MAX_MESSAGE_LENGTH)))),
                        row("Event", text(bytes(facts.limit(RelaySettings.MAX_EVENT_BYTES)))),
                        row("Tags of an event", text(number(facts.limit(RelaySettings.MAX_EVENT_TAGS)))),
                        row(
                                "Content of an event",
                                text(number(facts.limit(RelaySettings.MAX_CONTENT_LENGTH)) + " characters")),
                        row("Open subscriptions", text(number(facts.limit(RelaySettings.MAX_SUBSCRIPTIONS)))),
                        row("Filters of a request", text(number(facts.limit(RelaySettings.MAX_FILTERS)))),
                        row("Stored events for a filter", text(number(facts.limit(RelaySettings.MAX_LIMIT)))),
                        row("Proof of work", text(proofOfWork(facts.limit(RelaySettings.MIN_POW_DIFFICULTY))))));
    }

    private Element protocols() {
        var nips = facts.supportedNips().stream()
                .map(nip -> String.format(Locale.ROOT, "%02d", nip))
                .<Markup>map(nip -> element("li", Markup.link(NIPS + nip + ".md", "NIP-" + nip)))
                .toList();
        var grasps = facts.supportedGrasps().stream()
                .<Markup>map(grasp -> element("li", element("span", grasp)))
                .toList();
        var all = new ArrayList<>(nips);
        all.addAll(grasps);
        return section("Protocols", element("ul", all).with("class", "chips"));
    }

    private Element usage() {
        var relay = identity.relayUrl();
        return section(
                "How to use it",
                element("h3", "Publish and query"),
                element(
                        "p",
                        text("With any Nostr client, or on a command line with "),
                        Markup.link("https://github.com/fiatjaf/nak", "nak"),
                        text(":")),
                code("nak event --kind 1 --content 'hello' --sec <your key> " + relay),
                code("nak req --kind 1 --limit 10 " + relay),
                element("p", "Or send messages of NIP-01 over a WebSocket yourself:"),
                code("[\"REQ\",\"latest\",{\"kinds\":[1],\"limit\":10}]"),
                element("h3", "Read what this relay says about itself"),
                code("curl -H 'Accept: application/nostr+json' " + identity.pageUrl() + "/"));
    }

    private Element footer() {
        return element(
                "footer",
                element("span", "Grapnel " + identity.build().text()),
                Markup.link(home + "status", "Sync"),
                Markup.link(home + "health", "Health"));
    }

    private static Element section(String title, Markup... content) {
        var children = new ArrayList<Markup>();
        children.add(element("h2", title));
        children.addAll(List.of(content));
        return element("section", children);
    }

    private static Element row(String term, Markup value) {
        return element("div", element("dt", term), element("dd", value));
    }

    /// One line to copy.
    private static Element code(String line) {
        return element("pre", element("code", line));
    }

    private static String bytes(long count) {
        return count % MEBIBYTE == 0 ? number(count / MEBIBYTE) + " MiB" : number(count) + " bytes";
    }

    private static String proofOfWork(long bits) {
        return bits == 0 ? "none" : number(bits) + " bits";
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
