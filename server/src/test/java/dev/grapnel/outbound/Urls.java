package dev.grapnel.outbound;

import dev.grapnel.config.Cidr;
import dev.grapnel.config.ServiceDomain;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.nostr.url.ServiceAddress;
import java.util.List;
import java.util.stream.Stream;

/// Addresses for tests.
public final class Urls {
    /// Repositories by both schemes.
    public static final UrlShape GIT = UrlShape.git(List.of(Scheme.HTTPS, Scheme.HTTP));

    private Urls() {}

    /// A URL that passes.
    public static RemoteUrl git(String text) {
        return RemoteUrl.parse(text, GIT).require();
    }

    /// Ranges.
    public static List<Cidr> ranges(String... texts) {
        return Stream.of(texts).map(text -> Cidr.parse(text).require()).toList();
    }

    /// Where this service is.
    public static OwnAddresses own(String domain) {
        return OwnAddresses.of(ServiceAddress.parse(domain, "/").require(), List.of());
    }

    /// A service under a domain somebody named.
    public static ServiceDomain service(String domain) {
        return new ServiceDomain(ServiceAddress.parse(domain, "/").require(), false);
    }
}
