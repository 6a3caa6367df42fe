package dev.grapnel.purgatory;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.url.RequestTarget;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.nostr.url.WebUrl;
import dev.grapnel.outbound.Judged;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.store.StoreView;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which relays announcements name (sync R1.14). Two spellings of one relay are one.
public final class RelayPlaces {
    private static final UrlShape SHAPE = UrlShape.relay();
    private static final String ENDING = ".git";

    private RelayPlaces() {}

    /// What owners name, and everybody whose word counts for them, owners first.
    public static List<RemoteUrl> ofOwners(Collection<PublicKey> owners, Pool pool, StoreView view, int max) {
        return List.copyOf(ClonePlaces.ofOwners(owners, pool, view, max, RelayPlaces::of));
    }

    /// All that one announcement names: its relays, and the relays of GRASP servers that have the repository.
    public static List<RemoteUrl> of(Announcement announcement) {
        var relays = announcement.relays().stream().flatMap(text -> parse(text).find().stream());
        var hosts = announcement.cloneUrls().stream()
                .flatMap(text -> findRelay(text).stream())
                .flatMap(text -> parse(text).find().stream());
        return Stream.concat(relays, hosts).distinct().toList();
    }

    /// Reads the address of a relay as people write it: blanks around it, a missing scheme and a fragment are
    /// forgiven.
    public static Judged<RemoteUrl> parse(String published) {
        return parse(published, SHAPE);
    }

    /// The same for a relay that the operator names, which may have any port (P-816).
    public static Judged<RemoteUrl> parseConfigured(String text) {
        return parse(text, UrlShape.configuredRelay());
    }

    private static Judged<RemoteUrl> parse(String published, UrlShape shape) {
        var text = published.strip();
        int hash = text.indexOf('#');
        var whole = hash < 0 ? text : text.substring(0, hash);
        return RemoteUrl.parse(whole.contains("://") ? whole : "wss://" + whole, shape);
    }

    /// The relay of the server, if the path is that of a GRASP server; other git hosts have none.
    private static Optional<String> findRelay(String cloneUrl) {
        return WebUrl.parse(cloneUrl)
                .find()
                .filter(url -> url.scheme().isWeb() && url.isBare())
                .flatMap(url -> {
                    var segments = url.target().nonEmptySegments();
                    int prefix = segments.size() - 2;
                    return prefix >= 0 && isRepository(segments.get(prefix), segments.getLast())
                            ? Optional.of(relay(url, segments.subList(0, prefix)))
                            : Optional.empty();
                });
    }

    private static boolean isRepository(String owner, String name) {
        return name.length() > ENDING.length()
                && name.endsWith(ENDING)
                && Npub.parse(owner).find().isPresent();
    }

    private static String relay(WebUrl url, List<String> prefix) {
        var scheme = url.scheme() == Scheme.HTTPS ? Scheme.WSS : Scheme.WS;
        var target = new RequestTarget(prefix, "", false);
        return new WebUrl(scheme, url.host(), url.port(), false, target, false).toString();
    }
}
