package dev.grapnel.outbound;

import dev.grapnel.config.Cidr;
import dev.grapnel.config.ProxyAddress;
import dev.grapnel.nostr.url.Host;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// The one place where it is decided whether and where a stranger's URL leads (P-803, P-804, P-622).
public final class Gateway {
    /// What came of it.
    public sealed interface Passage {
        /// Connections may be made, by this route.
        record Open(Route route) implements Passage {}

        /// They may not, or not now.
        record Closed(Failure failure) implements Passage {}
    }

    /// A name with more addresses than these leads to a crowd of machines; some of them are enough.
    private static final int ADDRESSES_MAX = 8;

    private final AddressRules rules;
    private final OwnAddresses own;
    private final Names names;
    private final Optional<ProxyAddress> onionProxy;

    public Gateway(AddressRules rules, OwnAddresses own, Names names, Optional<ProxyAddress> onionProxy) {
        this.rules = rules;
        this.own = own;
        this.names = names;
        this.onionProxy = onionProxy;
    }

    /// Checks a URL. At most one name is looked up, and only after everything else passed. The future is never
    /// completed exceptionally; whoever no longer wants the answer cancels it.
    public CompletableFuture<Passage> route(RemoteUrl url) {
        var host = url.host();
        if (own.covers(url)) {
            return closed(new Failure.Policy(Rule.OWN, "it leads to this service itself"));
        }
        if (AddressRules.isOnion(host) && onionProxy.isPresent()) {
            return CompletableFuture.completedFuture(
                    new Passage.Open(new Route.Onion(host, url.port(), onionProxy.get())));
        }
        if (rules.judgeName(host) instanceof Judged.Refused<Host>(var rule, var reason)) {
            return closed(new Failure.Policy(rule, reason));
        }
        return findAddress(host)
                .map(address -> CompletableFuture.completedFuture(judge(url, List.of(address))))
                .orElseGet(() -> names.lookUp(host).thenApply(lookup -> judge(url, lookup)));
    }

    /// The address of a host that is one.
    static Optional<InetAddress> findAddress(Host host) {
        var text = host.text();
        return Cidr.parseAddress(host.isIpv6() ? text.substring(1, text.length() - 1) : text)
                .find();
    }

    private Passage judge(RemoteUrl url, Names.Lookup lookup) {
        return switch (lookup) {
            case Names.Lookup.Found(var addresses) -> judge(url, addresses);
            case Names.Lookup.NoSuchName _ -> new Passage.Closed(new Failure.NoSuchName());
            case Names.Lookup.Failed _ -> new Passage.Closed(new Failure.LookupFailed());
        };
    }

    private Passage judge(RemoteUrl url, List<InetAddress> addresses) {
        if (addresses.isEmpty()) {
            return new Passage.Closed(new Failure.LookupFailed());
        }
        return switch (rules.judgeAddresses(url.host(), addresses)) {
            case Judged.Passed<List<InetAddress>>(var good) ->
                new Passage.Open(new Route.Direct(
                        url.host(),
                        url.port(),
                        good.stream().limit(ADDRESSES_MAX).toList()));
            case Judged.Refused<List<InetAddress>>(var rule, var reason) ->
                new Passage.Closed(new Failure.Policy(rule, reason));
        };
    }

    private static CompletableFuture<Passage> closed(Failure failure) {
        return CompletableFuture.completedFuture(new Passage.Closed(failure));
    }
}
