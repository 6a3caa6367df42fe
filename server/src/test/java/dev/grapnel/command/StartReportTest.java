package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.BindAddress;
import dev.grapnel.config.OwnerKey;
import dev.grapnel.config.ServiceDomain;
import dev.grapnel.config.ServiceSettings.Backend;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.nip19.Nsec;
import dev.grapnel.nostr.url.ServiceAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StartReportTest {
    private static final SecretKey KEY = SecretKey.parse("%064x".formatted(3)).require();
    private static final String NPUB = "npub1lycg5qvjtrp3qjf5f7zl382j9x6nrjz9sdhenvyxq8c3808qxmus6gq266";

    private static ServiceDomain domain(String domain, String basePath, boolean isAssumed) {
        return new ServiceDomain(ServiceAddress.parse(domain, basePath).require(), isAssumed);
    }

    private static StartReport report(String bound, ServiceDomain domain, boolean isNewKey, boolean isFirst) {
        return new StartReport(
                "0.1.0",
                BindAddress.parse(bound).require(),
                domain,
                Backend.LMDB,
                Path.of("/srv/./relay"),
                new OwnerKey.Found(KEY, ".relay-owner.nsec", isNewKey),
                isFirst);
    }

    @Test
    void firstStartSaysWhatToTry() {
        assertEquals(
                """
                Grapnel 0.1.0 listens on http://127.0.0.1:7334/ and ws://127.0.0.1:7334/
                Events are in /srv/relay
                The operator is %s (a new key; it is in .relay-owner.nsec, of which you should keep a copy)
                No domain is set: other machines cannot use this service until --domain names the host under which they \
                reach it.

                To try next:
                  curl -H 'Accept: application/nostr+json' http://127.0.0.1:7334/  # what the relay says of itself
                  http://127.0.0.1:7334/  # its page, for a browser
                  Ctrl-C  # stops it
                """.formatted(NPUB).strip(),
                String.join(
                        "\n",
                        report("127.0.0.1:7334", domain("127.0.0.1:7334", "/", true), true, true)
                                .lines()));
    }

    @Test
    void laterStartsSayWhereThingsAre() {
        assertEquals(
                List.of(
                        "Grapnel 0.1.0 listens on http://0.0.0.0:8080/git and ws://0.0.0.0:8080/git",
                        "Others reach it at https://git.example.com/git and wss://git.example.com/git",
                        "Events are in /srv/relay",
                        "The operator is " + NPUB + " (the key is in .relay-owner.nsec)"),
                report("0.0.0.0:8080", domain("git.example.com", "/git", false), false, false)
                        .lines());
    }

    @Test
    void whatListensEverywhereIsTriedOnThisMachine() {
        var domain = domain("git.example.com", "/", false);
        assertTrue(report("0.0.0.0:7334", domain, false, true)
                .lines()
                .contains("  http://127.0.0.1:7334/  # its page, for a browser"));
        assertTrue(report("[::]:7334", domain, false, true)
                .lines()
                .contains("  http://[::1]:7334/  # its page, for a browser"));
    }

    @Test
    void memoryIsToldToBeForgotten() {
        var report = new StartReport(
                "0.1.0",
                BindAddress.parse("[::1]:1").require(),
                domain("[::1]:1", "/", true),
                Backend.MEMORY,
                Path.of("x"),
                new OwnerKey.Found(KEY, "GRAPNEL_RELAY_OWNER_NSEC", false),
                false);
        assertEquals(
                "Events are in memory only, and gone when it stops",
                report.lines().get(1));
        assertTrue(!report.toString().contains(new Nsec(KEY).revealed()));
    }
}
