package dev.grapnel.server.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.DomainPicture;
import dev.grapnel.purgatory.hunt.HuntNote;
import dev.grapnel.purgatory.hunt.HuntNote.Operation;
import dev.grapnel.purgatory.hunt.HuntNote.Role;
import dev.grapnel.purgatory.hunt.HuntUrl;
import dev.grapnel.purgatory.hunt.Obstacle;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Numbers of hunting: what strangers call their servers fills no memory (purgatory 10.1).
final class HuntCountersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final HuntCounters counters = new HuntCounters(registry);

    private void visit(String domain, int times) {
        var url = new HuntUrl("https://" + domain + "/x.git", new Host(domain));
        for (int i = 0; i < times; i++) {
            counters.accept(new HuntNote.Visited(new Identifier("x"), url, "ok", 1, 0, 1, 10, Duration.ofSeconds(1)));
        }
    }

    private Set<String> domains() {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .flatMap(id -> id.getTags().stream())
                .filter(tag -> tag.getKey().equals("domain"))
                .map(tag -> tag.getValue())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private double requests(String domain) {
        return registry.get("purgatory_domain_requests_total")
                .tag("domain", domain)
                .counter()
                .count();
    }

    @Test
    void aDomainHasANameOnceItMatters() {
        visit("a.example", 2);
        assertEquals(Set.of("other"), domains());
        visit("a.example", 1);
        assertEquals(Set.of("a.example", "other"), domains());
        assertEquals(1, requests("a.example"));
        assertEquals(2, requests("other"));
    }

    @Test
    void fiftyDomainsHaveNamesHoweverManyAreAsked() {
        for (int i = 0; i < 2_000; i++) {
            visit("d" + i + ".example", 3);
        }
        assertEquals(51, domains().size());
        assertEquals(6_000 - 50, requests("other"));
    }

    /// Whoever was first keeps nobody from being seen who is asked more.
    @Test
    void aMuchBusierDomainTakesTheNameOfTheIdlest() {
        for (int i = 0; i < 50; i++) {
            visit("d" + i + ".example", i == 7 ? 3 : 4);
        }
        counters.accept(new HuntNote.Throttled(new Host("d7.example"), Obstacle.RATE));
        visit("busy.example", 6);
        assertEquals(Set.of(), present("busy.example"));
        visit("busy.example", 1);
        assertEquals(Set.of("busy.example"), present("busy.example", "d7.example"));
        assertEquals(51, domains().size());
        visit("d7.example", 1);
        assertEquals(Set.of(), present("d7.example"));
    }

    private Set<String> present(String... wanted) {
        var found = new TreeSet<>(domains());
        found.retainAll(Set.of(wanted));
        return found;
    }

    @Test
    void whatGoesOnIsToldOfTheNamedAndOfAllOthersTogether() {
        visit("a.example", 3);
        counters.publish(Map.of(
                new Host("a.example"), picture(2, 5),
                new Host("b.example"), picture(1, 3),
                new Host("c.example"), picture(1, 4)));
        assertEquals(2, gauge("purgatory_domain_in_flight", "domain", "a.example"));
        assertEquals(2, gauge("purgatory_domain_in_flight", "domain", "other"));
        assertEquals(5, gauge("purgatory_domain_queued", "domain", "a.example"));
        assertEquals(7, gauge("purgatory_domain_queued", "domain", "other"));
    }

    private static DomainPicture picture(int inFlight, int queued) {
        return new DomainPicture(inFlight, 0, queued, Optional.empty());
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void requestsThatGoOnAreCountedUntilTheyEnd() {
        var tags = new String[] {"operation", "fetch_batch", "role", "primary"};
        counters.accept(new HuntNote.Requesting(Operation.FETCH_BATCH, Role.PRIMARY));
        counters.accept(new HuntNote.Requesting(Operation.FETCH_BATCH, Role.PRIMARY));
        assertEquals(2, gauge("ngit_purgatory_git_subprocess_active", tags));
        counters.accept(new HuntNote.Requested(
                Operation.FETCH_BATCH, Role.PRIMARY, HuntNote.Outcome.CANCELLED, Duration.ofSeconds(1), 7));
        assertEquals(1, gauge("ngit_purgatory_git_subprocess_active", tags));
        assertEquals(
                1,
                registry.get("ngit_purgatory_git_subprocess_total")
                        .tags(tags)
                        .tag("outcome", "cancelled")
                        .counter()
                        .count());
    }
}
