package dev.grapnel.server.web;

import static dev.grapnel.server.web.Markup.element;
import static dev.grapnel.server.web.Markup.text;

import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.url.PercentEncoding;
import dev.grapnel.nostr.url.Scheme;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpStatus;

/// Pages of repositories, and of those that are not here (service 2.7).
final class RepositoryPages {
    private static final String BROWSER = "https://gitworkshop.dev/";

    private final ServiceIdentity identity;
    private final String home;

    /// @param home path of the landing page, with a slash at its end
    RepositoryPages(ServiceIdentity identity, String home) {
        this.identity = identity;
        this.home = home;
    }

    /// What it is called and how to get it.
    ///
    /// @param tls whether whoever asks came by https
    Reply hosted(RepositoryAddress repository, boolean tls) {
        var npub = new Npub(repository.owner()).text();
        var name = repository.identifier().text();
        var place = npub + "/" + relayHint(tls) + "/" + PercentEncoding.encode(name);
        var url = identity.address().cloneUrl(tls ? Scheme.HTTPS : Scheme.HTTP, repository.owner(), name);
        var main = element(
                "main",
                section("Clone", code("git clone " + quoted(url)), code("git clone nostr://" + place)),
                section("Browse", element("p", Markup.link(BROWSER + place, "gitworkshop.dev"))),
                section("Owner", element("p", element("code", npub))));
        var header = element(
                "header",
                element("div", element("img").with("src", home + "icon.png").with("alt", ""), element("h1", name))
                        .with("class", "brand"),
                element("div", element("p", text("A git repository, hosted by "), Markup.link(home, identity.domain())))
                        .with("class", "lead"));
        return new Page(name, home + "icon.png", List.of(header, main)).reply(HttpStatus.OK_200);
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

    /// How clients find this relay: by its address if that is reached in the usual way.
    private String relayHint(boolean tls) {
        var address = identity.address();
        if (tls) {
            var shown = address.toString();
            return address.basePath().isEmpty() ? shown : PercentEncoding.encode(shown);
        }
        return PercentEncoding.encode(address.relayUrl(Scheme.WS));
    }

    /// For a shell: identifiers are strangers' words, but percent-encoded they hold nothing a shell knows.
    private static String quoted(String url) {
        return url.chars().allMatch(c -> c > ' ' && c < 0x7f && "\"'`$\\&;|<>()*?[]{}!".indexOf(c) < 0)
                ? url
                : "'" + url + "'";
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
