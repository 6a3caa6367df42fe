package dev.grapnel.outbound;

import dev.grapnel.config.Cidr;
import dev.grapnel.config.ServiceDomain;
import dev.grapnel.nostr.url.Host;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/// To which names and addresses connections may be made for strangers (P-803, P-814). Pure: looking names up is
/// somebody else's.
public final class AddressRules {
    /// An opening the operator is to be told of at start.
    ///
    /// @param event name of the log line (purgatory 10.2)
    /// @param ranges that are open
    /// @param text what it means and where it comes from
    public record Opening(String event, List<Cidr> ranges, String text) {
        public Opening {
            ranges = List.copyOf(ranges);
        }
    }

    /// What a host is before anything is looked up.
    private enum Kind {
        /// An ordinary name, or an address.
        ORDINARY,
        /// A name of this machine.
        LOCALHOST,
        /// A name that only a private network knows.
        PRIVATE,
        /// A name that is not looked up at all (P-815).
        ONION
    }

    private static final List<String> PRIVATE_ENDINGS =
            List.of("local", "localdomain", "internal", "home.arpa", "test", "invalid");

    private final List<Cidr> listed;
    private final boolean isLoopbackOpen;
    private final boolean isEverythingOpen;
    private final List<Opening> openings;

    private AddressRules(List<Cidr> listed, boolean isLoopbackOpen, boolean isEverythingOpen, List<Opening> openings) {
        this.listed = List.copyOf(listed);
        this.isLoopbackOpen = isLoopbackOpen;
        this.isEverythingOpen = isEverythingOpen;
        this.openings = List.copyOf(openings);
    }

    /// The rules as the operator's settings make them.
    ///
    /// @param allow `ADDRESS_ALLOW`
    /// @param nonGlobal `SYNC_ALLOW_NON_GLOBAL_TARGETS`, which is read as a limited list
    /// @param service with a domain on loopback this is a development server, and loopback is open
    public static AddressRules of(List<Cidr> allow, boolean nonGlobal, ServiceDomain service) {
        var listed = new ArrayList<>(allow);
        var openings = new ArrayList<Opening>();
        if (nonGlobal) {
            listed.addAll(AddressRanges.NON_GLOBAL);
            openings.add(new Opening(
                    "address.non_global_allowed",
                    AddressRanges.NON_GLOBAL,
                    "--sync-allow-non-global-targets lets strangers' events make this server connect to private"
                            + " addresses; name only the ranges you need with --address-allow instead"));
        }
        if (service.isLoopback()) {
            openings.add(new Opening(
                    "address.loopback_allowed",
                    AddressRanges.LOOPBACK,
                    "the service domain is a loopback address, so this is taken for a development server and"
                            + " strangers' events may make it connect to this machine"));
        }
        return new AddressRules(listed, service.isLoopback(), false, openings);
    }

    /// Only the public network.
    public static AddressRules strict() {
        return new AddressRules(List.of(), false, false, List.of());
    }

    /// The public network and the listed ranges.
    public static AddressRules allowing(List<Cidr> listed) {
        return new AddressRules(listed, false, false, List.of());
    }

    /// Every address: for what the operator names, and for nothing that an event names (P-816).
    public static AddressRules none() {
        return new AddressRules(List.of(), false, true, List.of());
    }

    /// What the operator is to be told of at start.
    public List<Opening> openings() {
        return openings;
    }

    /// Judges a host before anything is looked up. An onion service passes nowhere but through a proxy, so it is
    /// refused here.
    public Judged<Host> judgeName(Host host) {
        return switch (kindOf(host)) {
            case ORDINARY -> Judged.passed(host);
            case LOCALHOST ->
                isLoopbackOpen || isEverythingOpen || !listed.isEmpty()
                        ? Judged.passed(host)
                        : Judged.refused(Rule.NAME, "the name means this machine");
            case PRIVATE ->
                isEverythingOpen || !listed.isEmpty()
                        ? Judged.passed(host)
                        : Judged.refused(Rule.NAME, "the name means a machine of a private network");
            case ONION -> Judged.refused(Rule.ONION, "no proxy for onion services is set (--onion-proxy)");
        };
    }

    /// Judges what a host that passed [#judgeName] was found to be: one bad address refuses all.
    ///
    /// @param addresses all that were found
    public Judged<List<InetAddress>> judgeAddresses(Host host, List<InetAddress> addresses) {
        boolean onlyOpened = kindOf(host) != Kind.ORDINARY;
        boolean good = !addresses.isEmpty()
                && addresses.stream().allMatch(address -> isOpened(address) || (!onlyOpened && isPublic(address)));
        return good
                ? Judged.passed(List.copyOf(addresses))
                : Judged.refused(
                        Rule.ADDRESS,
                        onlyOpened
                                ? "a name of a private network leads to an address that is not listed"
                                : "it leads to an address that is not public");
    }

    /// Whether this is the name of an onion service.
    static boolean isOnion(Host host) {
        return isUnder(host.text(), "onion");
    }

    private static boolean isPublic(InetAddress address) {
        return !AddressRanges.hasZone(address) && AddressRanges.isPublic(address);
    }

    private boolean isOpened(InetAddress address) {
        if (isEverythingOpen) {
            return true;
        }
        if (AddressRanges.hasZone(address)) {
            return false;
        }
        var judged = AddressRanges.judged(address);
        return isIn(listed, address)
                || isIn(listed, judged)
                || (isLoopbackOpen && isIn(AddressRanges.LOOPBACK, judged));
    }

    private static boolean isIn(List<Cidr> ranges, InetAddress address) {
        return ranges.stream().anyMatch(range -> range.contains(address));
    }

    private static Kind kindOf(Host host) {
        var text = host.text();
        if (host.isIpv6() || Cidr.parseAddress(text).find().isPresent()) {
            return Kind.ORDINARY;
        }
        if (isUnder(text, "localhost")) {
            return Kind.LOCALHOST;
        }
        if (isOnion(host)) {
            return Kind.ONION;
        }
        boolean isPrivate = text.indexOf('.') < 0 || PRIVATE_ENDINGS.stream().anyMatch(end -> isUnder(text, end));
        return isPrivate ? Kind.PRIVATE : Kind.ORDINARY;
    }

    private static boolean isUnder(String name, String ending) {
        return name.equals(ending) || name.endsWith("." + ending);
    }
}
