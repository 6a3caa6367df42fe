package dev.grapnel.server.web;

import static dev.grapnel.server.web.Markup.element;
import static dev.grapnel.server.web.Markup.text;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.server.ops.RelayWords;
import dev.grapnel.server.ops.SyncJson;
import dev.grapnel.server.ops.SyncView;
import dev.grapnel.sync.SyncPicture;
import dev.grapnel.sync.SyncPicture.Relay;
import dev.grapnel.sync.link.LinkPicture;
import dev.grapnel.sync.link.LinkState;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpStatus;

/// Whom this server follows and how that goes: for people who look at it on a telephone, and for programs.
///
/// Who should be looked at stands first. What relays did is told in our words; of theirs only the address is shown.
final class SyncPages {
    private static final Duration RELOAD = Duration.ofSeconds(10);

    /// More than these are not shown, because nobody reads them.
    static final int RELAYS_MAX = 500;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final SyncView view;
    private final ServiceIdentity identity;
    private final String home;

    /// @param home path of the landing page, with a slash at its end
    SyncPages(SyncView view, ServiceIdentity identity, String home) {
        this.view = view;
        this.identity = identity;
        this.home = home;
    }

    Reply page() {
        return html().reply(HttpStatus.OK_200)
                .with("Cache-Control", "no-store")
                .with("Vary", "Accept")
                .asOwn();
    }

    /// The page before it is an answer.
    Page html() {
        var body = view.isOn()
                ? view.picture().map(this::body).orElseGet(() -> empty("Sync does not answer just now."))
                : empty("Sync is switched off: this server follows no other relay.");
        return new Page("Sync", home + "icon.png", body).reloading(RELOAD);
    }

    Reply json() {
        return new Reply(
                        HttpStatus.OK_200,
                        "application/json; charset=utf-8",
                        jsonText().toArray())
                .with("Cache-Control", "no-store")
                .with("Vary", "Accept")
                .with("X-Content-Type-Options", "nosniff")
                .asOwn();
    }

    private JsonWriter jsonText() {
        if (!view.isOn()) {
            return new JsonWriter(64).raw("{\"sync\":\"off\"}");
        }
        var picture = view.picture();
        if (picture.isEmpty()) {
            return new JsonWriter(64).raw("{\"sync\":\"silent\"}");
        }
        var json = new SyncJson(picture.get());
        var out = new JsonWriter(16_384).raw("{\"sync\":\"on\",");
        json.writeWhole(out);
        var relays = RelayWords.worstFirst(picture.get());
        out.raw(",\"relays\":");
        SyncJson.list(out, relays.stream().limit(RELAYS_MAX).toList(), (to, relay) -> json.write(relay, to));
        return out.raw(",\"moreRelays\":")
                .number(Math.max(0, relays.size() - RELAYS_MAX))
                .raw("}");
    }

    private List<Markup> empty(String words) {
        return List.of(header(List.of(element("p", words))), footer());
    }

    private List<Markup> body(SyncPicture picture) {
        var content = new ArrayList<Markup>();
        var relays = RelayWords.worstFirst(picture);
        relays.stream().limit(RELAYS_MAX).forEach(relay -> content.add(card(relay, picture)));
        if (relays.isEmpty()) {
            content.add(section("Relays", List.of(element("p", "No announcement here names another relay yet."))));
        }
        if (relays.size() > RELAYS_MAX) {
            content.add(element(
                            "p",
                            "and " + RelayWords.number(relays.size() - RELAYS_MAX)
                                    + " more, of which less need be said; grapnel sync list shows all")
                    .with("class", "hint"));
        }
        content.add(element("div", wanted(picture), refused(picture)).with("class", "pair"));
        return List.of(header(summary(picture)), element("main", content), footer());
    }

    private Markup header(List<Markup> lead) {
        return element(
                "header",
                element("div", element("img").with("src", home + "icon.png").with("alt", ""), element("h1", "Sync"))
                        .with("class", "brand"),
                element("div", lead).with("class", "lead"));
    }

    private List<Markup> summary(SyncPicture picture) {
        long up = picture.relays().stream()
                .filter(relay -> relay.link().state().isUp())
                .count();
        long unwell = picture.relays().stream()
                .filter(relay -> !RelayWords.isWell(relay))
                .count();
        var lead = new ArrayList<Markup>();
        lead.add(element(
                "p",
                text("What "),
                Markup.link(home, identity.domain()),
                text(" fetches from other relays. It knows "
                        + count(picture.relays().size(), "relay")
                        + " and is connected to " + RelayWords.number(up) + "; "
                        + (unwell == 0
                                ? "all is well."
                                : RelayWords.number(unwell) + (unwell == 1 ? " needs" : " need") + " a look."))));
        if (picture.isCutOff()) {
            lead.add(element("p", "No relay can be reached: this server itself seems to be without a network.")
                    .with("class", "bad"));
        }
        if (!picture.isReady()) {
            lead.add(element("p", "It is still reading what it has stored; relays are asked when that is done.")
                    .with("class", "warn"));
        }
        if (picture.order().waiting() > 0) {
            lead.add(element(
                    "p",
                    "Waiting for a place, because as many are followed as may be: "
                            + count(picture.order().waiting(), "relay") + "."));
        }
        lead.add(element("p", "As of " + TIME.format(picture.takenAt()) + ", reloaded every 10 seconds.")
                .with("class", "hint"));
        return lead;
    }

    // ---- one relay

    private Markup card(Relay relay, SyncPicture picture) {
        var children = new ArrayList<Markup>();
        children.add(element("h2", relay.name()));
        children.add(badges(relay));
        if (!relay.troubles().isEmpty()) {
            children.add(element(
                            "ul",
                            relay.troubles().stream()
                                    .<Markup>map(trouble -> element("li", RelayWords.words(trouble, picture.takenAt())))
                                    .toList())
                    .with("class", "troubles"));
        }
        RelayWords.earlier(relay)
                .ifPresent(words ->
                        children.add(element("ul", element("li", words)).with("class", "troubles")));
        var rows = new ArrayList<Markup>();
        rows.add(row("Repositories", repositories(relay)));
        rows.add(row("Complete until", lag(relay, picture)));
        relay.waiting().ifPresent(wait -> rows.add(row("Next try", RelayWords.words(wait))));
        addIf(relay.failures() > 0, rows, "Failures in a row", RelayWords.number(relay.failures()));
        addIf(!relay.reason().isEmpty(), rows, "Left because", relay.reason());
        if (relay.link().state().isUp()) {
            addWork(rows, relay);
        }
        relay.learned()
                .forEach((trait, entry) -> rows.add(row(
                        "Found out",
                        RelayWords.words(trait, entry.value()) + ", until " + TIME.format(entry.until()))));
        children.add(element("dl", rows).with("class", "facts"));
        return element("section", children);
    }

    private static Markup badges(Relay relay) {
        var badges = new ArrayList<Markup>();
        badges.add(badge(relay.link().state().text(), kind(relay.link().state())));
        boolean isSaid = relay.status().text().equals(relay.link().state().text());
        if (!isSaid) {
            badges.add(badge(relay.status().text(), kind(relay)));
        }
        if (relay.isBootstrap()) {
            badges.add(badge("bootstrap", "plain"));
        } else if (relay.isConfigured()) {
            badges.add(badge("configured", "plain"));
        }
        return element("ul", badges).with("class", "badges");
    }

    private static String kind(LinkState state) {
        return switch (state) {
            case SYNCING, CONNECTED -> "good";
            case WITH_FAILURES -> "warn";
            case DISCONNECTED, CONNECTING, DISCONNECTING -> "plain";
        };
    }

    private static String kind(Relay relay) {
        return switch (relay.status()) {
            case HEALTHY -> "good";
            case DISCONNECTED -> "plain";
            case DEGRADED, RATE_LIMITED -> "warn";
            case DEAD, POLICY_LIMITED -> "bad";
        };
    }

    private static Markup badge(String words, String kind) {
        return element("li", words).with("class", kind);
    }

    private static String repositories(Relay relay) {
        int waiting = relay.repositories() - relay.full();
        return RelayWords.number(relay.full()) + " in full"
                + (waiting > 0 ? ", " + RelayWords.number(waiting) + " that still wait" : "");
    }

    private static String lag(Relay relay, SyncPicture picture) {
        var lag = picture.lagSeconds(relay);
        return lag.isPresent() ? RelayWords.span(Duration.ofSeconds(lag.getAsLong())) + " ago" : "never yet";
    }

    private static void addWork(List<Markup> rows, Relay relay) {
        var link = relay.link();
        rows.add(row("Awaited", awaited(link)));
        rows.add(row("Streams", count(link.liveFilters(), "filter") + " of up to " + count(link.width(), "value")));
        rows.add(row(
                "Subscriptions",
                link.slotsLive() + " live, " + link.slotsHistoric() + " for what is stored, " + link.slotsNegentropy()
                        + " comparing; at most " + link.slots()));
        rows.add(row("Asked", "up to " + RelayWords.perSecond(relay.rate()) + " times a second"));
        addIf(
                relay.coolingFor().isPositive(),
                rows,
                "Asked nothing for",
                RelayWords.span(relay.coolingFor()) + " more: it wants fewer requests");
        addIf(link.givenUp() > 0, rows, "Not streamed", RelayWords.givenUp(link.givenUp()));
        link.oldestPass()
                .ifPresent(age ->
                        rows.add(row("Last looked for that", RelayWords.span(Duration.ofSeconds(age)) + " ago")));
    }

    private static String awaited(LinkPicture link) {
        int running = link.batches() - link.parked();
        if (link.batches() == 0 && link.undecided() == 0) {
            return "nothing";
        }
        var words = new ArrayList<String>();
        if (running > 0) {
            words.add(count(running, "batch", "batches")
                    + (link.oldestBatch().isPresent()
                            ? ", the oldest for "
                                    + RelayWords.span(Duration.ofSeconds(
                                            link.oldestBatch().getAsLong()))
                            : ""));
        }
        if (link.parked() > 0) {
            words.add(count(link.parked(), "batch", "batches") + " to be tried again");
        }
        if (link.undecided() > 0) {
            words.add(count(link.undecided(), "event") + " to be judged");
        }
        return String.join("; ", words);
    }

    // ---- figures

    private static Markup wanted(SyncPicture picture) {
        var index = picture.index();
        return section(
                "What is wanted",
                List.of(element(
                        "dl",
                        row("Repositories", RelayWords.number(index.fullRepos())),
                        row("Announcements that wait", RelayWords.number(index.stateOnlyRepos())),
                        row("Issues, patches, pull requests", RelayWords.number(index.roots())),
                        row("Answers to them", RelayWords.number(index.members())),
                        row("Repositories at relays", RelayWords.number(index.pairs())))));
    }

    private static Markup refused(SyncPicture picture) {
        var rows = new ArrayList<Markup>();
        picture.intake().reasons().forEach((reason, count) -> {
            if (count > 0) {
                var words = RelayWords.words(reason);
                var title = words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
                rows.add(row(title, RelayWords.number(count)));
            }
        });
        return section(
                "What was refused",
                List.of(rows.isEmpty() ? element("p", "Nothing that is still remembered.") : element("dl", rows)));
    }

    private Markup footer() {
        return element(
                "footer",
                Markup.link(home, "About this service"),
                Markup.link(home + "status.json", "For programs"),
                Markup.link(home + "health", "Health"));
    }

    private static void addIf(boolean isSaid, List<Markup> rows, String name, String value) {
        if (isSaid) {
            rows.add(row(name, value));
        }
    }

    private static Markup row(String name, String value) {
        return element("div", element("dt", name), element("dd", value));
    }

    private static Markup section(String title, List<Markup> content) {
        var children = new ArrayList<Markup>();
        children.add(element("h2", title));
        children.addAll(content);
        return element("section", children);
    }

    private static String count(long number, String thing) {
        return count(number, thing, thing + "s");
    }

    private static String count(long number, String one, String many) {
        return RelayWords.number(number) + " " + (number == 1 ? one : many);
    }
}
