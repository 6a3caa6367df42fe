package dev.grapnel.server.web;

import static dev.grapnel.server.web.Markup.element;
import static dev.grapnel.server.web.Markup.text;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.url.PercentEncoding;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.purgatory.push.ShellWord;
import dev.grapnel.server.web.RepositoryPortrait.Awaited;
import dev.grapnel.server.web.RepositoryPortrait.Person;
import dev.grapnel.server.web.RepositoryPortrait.Phase;
import dev.grapnel.server.web.RepositoryPortrait.Ref;
import dev.grapnel.server.web.RepositoryPortrait.Role;
import dev.grapnel.server.web.RepositoryPortrait.SignedState;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpStatus;

/// Pages of repositories, and of those that are not here (service 2.7).
final class RepositoryPages {
    private static final String BROWSER = "https://gitworkshop.dev/";
    private static final String EVERYTHING = "'refs/heads/*:refs/heads/*' 'refs/tags/*:refs/tags/*'";
    private static final int ID_DIGITS = 12;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final ServiceIdentity identity;
    private final String home;

    /// @param home path of the landing page, with a slash at its end
    RepositoryPages(ServiceIdentity identity, String home) {
        this.identity = identity;
        this.home = home;
    }

    /// What it is called, what is in it, who decides about it and how to get it.
    ///
    /// @param tls whether whoever asks came by https
    Reply hosted(RepositoryAddress repository, RepositoryPortrait portrait, boolean tls) {
        return page(repository, portrait, tls).reply(HttpStatus.OK_200).asOwn();
    }

    /// The same before it is an answer.
    Page page(RepositoryAddress repository, RepositoryPortrait portrait, boolean tls) {
        var npub = new Npub(repository.owner()).text();
        var name = repository.identifier().text();
        var place = npub + "/" + identity.relayHint(tls) + "/" + PercentEncoding.encode(name);
        var url = identity.address().cloneUrl(tls ? Scheme.HTTPS : Scheme.HTTP, repository.owner(), name);
        var sections = new ArrayList<Markup>();
        sections.add(section("Clone", code("git clone " + ShellWord.quoted(url)), code("git clone nostr://" + place)));
        if (!portrait.awaited().isEmpty()) {
            sections.add(awaited(portrait, url, place));
        }
        sections.add(refs(
                "Branches", portrait.content().branches(), portrait.content().branchCount(), portrait));
        if (portrait.content().tagCount() > 0) {
            sections.add(
                    refs("Tags", portrait.content().tags(), portrait.content().tagCount(), portrait));
        }
        if (portrait.phase() != Phase.OPEN && portrait.phase() != Phase.WAITING) {
            sections.add(governing(portrait));
            sections.add(maintainers(portrait));
        }
        sections.add(section("Browse", element("p", Markup.link(BROWSER + place, "gitworkshop.dev"))));
        sections.add(section("Owner", element("p", element("code", npub))));
        return new Page(name, home + "icon.png", List.of(header(name, portrait), element("main", sections)));
    }

    private Markup header(String name, RepositoryPortrait portrait) {
        var lead = new ArrayList<Markup>();
        portrait.description().ifPresent(words -> lead.add(element("p", words)));
        lead.add(element("p", text("A git repository, hosted by "), Markup.link(home, identity.domain())));
        switch (portrait.phase()) {
            case OPEN, SERVED -> {
                // nothing out of the ordinary
            }
            case WAITING -> lead.add(element("p", "It is announced and waits for its first content."));
            case ARCHIVED ->
                lead.add(element("p", "This is a copy: its owner does not name this service as a place of it."));
            case WITHDRAWN ->
                lead.add(element(
                        "p",
                        "Withdrawn: its owner does not name this service any more. It can be read for a while, and takes"
                                + " no pushes."));
        }
        return element(
                "header",
                element("div", element("img").with("src", home + "icon.png").with("alt", ""), element("h1", name))
                        .with("class", "brand"),
                element("div", lead).with("class", "lead"));
    }

    private static Markup refs(String title, List<Ref> shown, int count, RepositoryPortrait portrait) {
        if (count == 0) {
            return section(title, element("p", "None."));
        }
        var rows = new ArrayList<Markup>();
        for (var ref : shown) {
            boolean isHead =
                    portrait.content().head().filter(ref.name()::equals).isPresent();
            rows.add(row(
                    text(shortName(ref.name()) + (isHead ? " (default)" : "")),
                    element("code", ref.target().toString().substring(0, ID_DIGITS))));
        }
        var list = element("dl", rows);
        return count == shown.size()
                ? section(title, list)
                : section(title, list, hint("and " + (count - shown.size()) + " more; git ls-remote lists all"));
    }

    private static String shortName(RefName name) {
        return name.text().substring((name.isBranch() ? RefName.BRANCHES : RefName.TAGS).length());
    }

    private static Markup governing(RepositoryPortrait portrait) {
        var title = "What the refs follow";
        return portrait.governing()
                .map(state -> section(
                        title,
                        element(
                                "dl",
                                row(text("Signed by"), person(state.author())),
                                row(text("Signed at"), text(TIME.format(state.signedAt()))),
                                row(text("Declares"), text(declared(state))),
                                row(text("State"), element("code", state.id().substring(0, ID_DIGITS))))))
                .orElseGet(
                        () -> section(
                                title,
                                element(
                                        "p",
                                        "No state of a maintainer is served, so the refs stay as they are until one is signed.")));
    }

    private static String declared(SignedState state) {
        return state.isEmpty()
                ? "no branch and no tag: it was emptied on purpose"
                : count(state.branches(), "branch", "branches") + ", " + count(state.tags(), "tag", "tags");
    }

    private static String count(int number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }

    private static Markup maintainers(RepositoryPortrait portrait) {
        var content = new ArrayList<Markup>();
        portrait.authorityProblem()
                .ifPresent(reason -> content.add(element(
                        "p",
                        "Nobody may change branches and tags now: " + reason
                                + ". A new announcement of the owner, or of the lead, helps.")));
        content.add(element(
                "dl",
                portrait.people().stream()
                        .map(somebody -> row(person(somebody.key()), text(role(somebody, portrait))))
                        .toList()));
        if (portrait.hasMorePeople()) {
            content.add(hint("and more"));
        }
        return section("Maintainers", content.toArray(Markup[]::new));
    }

    private static String role(Person somebody, RepositoryPortrait portrait) {
        return switch (somebody.role()) {
            case Role.Member(var isLead) -> isLead && portrait.people().size() > 1 ? "confirmed, leads" : "confirmed";
            case Role.Left() -> "has left";
            case Role.Invited(var by, var hasAnnounced) ->
                "invited by " + shortNpub(by)
                        + (hasAnnounced
                                ? "; has announced the repository, but lists no maintainer back"
                                : "; accepts by announcing the repository under the same name and listing a maintainer");
        };
    }

    private static Markup awaited(RepositoryPortrait portrait, String url, String place) {
        var content = new ArrayList<Markup>();
        for (var one : portrait.awaited()) {
            switch (one) {
                case Awaited.FirstContent(var until) -> {
                    content.add(element(
                            "p",
                            "An announcement of its owner waits for content until " + TIME.format(until)
                                    + ". Whoever maintains it publishes a state and pushes what it names. In the"
                                    + " repository:"));
                    content.add(code("git push nostr://" + place + " --all"));
                    content.add(code("grapnel repo state --key <file> && git push grapnel " + EVERYTHING));
                }
                case Awaited.Objects(var author, var until) -> {
                    content.add(element(
                            "p",
                            text("A newer state that "),
                            person(author),
                            text(" signed waits for git data until " + TIME.format(until)
                                    + ". It is served when all that it names was pushed, by anybody who has it:")));
                    content.add(code("git push " + ShellWord.quoted(url) + " " + EVERYTHING));
                }
                case Awaited.Commits(var number) -> {
                    content.add(element(
                            "p",
                            number == 1
                                    ? "A pull request waits for its commit. Its author, or anybody who has it, pushes it:"
                                    : number
                                            + " pull requests wait for their commits. Their authors, or anybody who has"
                                            + " them, push them:"));
                    content.add(code("git push " + ShellWord.quoted(url) + " <commit>:refs/nostr/<event id>"));
                }
                case Awaited.Elsewhere(var next, var asked) -> {
                    content.add(element(
                            "p",
                            "This server looks for what is missing at the addresses that its maintainers published"
                                    + next.map(time -> ", again at " + TIME.format(time) + ".")
                                            .orElse(", just now.")));
                    asked.forEach(answer -> content.add(
                            element("p", element("code", answer.url()), text(" " + answer.answer() + "."))));
                }
                case Awaited.Alignment(var since) ->
                    content.add(element(
                            "p",
                            "Since " + TIME.format(since)
                                    + " this server tries to give the repository the refs that were"
                                    + " signed. Nothing need be done."));
            }
        }
        return section("Awaited", content.toArray(Markup[]::new));
    }

    /// A well-formed address of a repository that is not here.
    Reply notHosted(RepositoryAddress repository) {
        var npub = new Npub(repository.owner()).text();
        var name = repository.identifier().text();
        var main = element(
                        "main",
                        element("img").with("src", home + "icon.png").with("alt", ""),
                        element("p", "404").with("class", "code"),
                        element("h1", "Not hosted here"),
                        element("p", text("This service has no repository "), element("code", name), text(" of")),
                        element("p", element("code", npub)),
                        element("p", Markup.link(home, "About this service")))
                .with("class", "status");
        return new Page("Not hosted here", home + "icon.png", List.of(main)).reply(HttpStatus.NOT_FOUND_404);
    }

    private static Markup person(PublicKey key) {
        return element("code", shortNpub(key)).with("title", new Npub(key).text());
    }

    private static String shortNpub(PublicKey key) {
        var npub = new Npub(key).text();
        return npub.substring(0, ID_DIGITS) + "…" + npub.substring(npub.length() - 4);
    }

    private static Markup row(Markup name, Markup value) {
        return element("div", element("dt", name), element("dd", value));
    }

    private static Markup hint(String words) {
        return element("p", words).with("class", "hint");
    }

    private static Markup section(String title, Markup... content) {
        return element(
                "section",
                Stream.concat(Stream.<Markup>of(element("h2", title)), Stream.of(content))
                        .toList());
    }

    private static Markup code(String line) {
        return element("pre", element("code", line));
    }
}
