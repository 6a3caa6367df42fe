package dev.grapnel.server.sync;

import static dev.grapnel.server.sync.StoreUnderTest.NOW;
import static dev.grapnel.server.sync.StoreUnderTest.address;
import static dev.grapnel.server.sync.StoreUnderTest.announcement;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.sync.world.PurgatoryView.Waiting;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Purgatory as sync sees it.
final class PoolsViewTest {
    private final StoreUnderTest under = new StoreUnderTest();

    @AfterEach
    void close() {
        under.close();
    }

    @Test
    void allAnnouncementsThatWaitAreTold() {
        var active = announcement(2, NOW, "x", "wss://one.example", "wss://git.example.com");
        var reference = announcement(3, NOW, "y");
        var soft = announcement(1, NOW, "z");
        assertEquals(List.of(), under.view.announcements());
        under.hold(active, Phase.ACTIVE);
        under.hold(reference, Phase.REFERENCE);
        under.hold(soft, Phase.SOFT_EXPIRED);
        var expected = new TreeSet<>(Set.of(address(2, "x"), address(3, "y"), address(1, "z")));
        assertEquals(
                List.copyOf(expected),
                under.view.announcements().stream().map(Waiting::repository).toList());
        var waiting = new Waiting(address(2, "x"), active.id());
        assertTrue(under.view.announcements().contains(waiting));
        assertEquals(
                List.of("wss://one.example"),
                under.view.relays(waiting).stream().map(RemoteUrl::text).toList());
        assertTrue(under.view.isHeld(address(2, "x")) && !under.view.isHeld(address(1, "x")));
        under.write(transaction -> transaction.drop(active.id()));
        assertEquals(List.of(), under.view.relays(waiting));
        assertEquals(2, under.view.announcements().size());
    }

    @Test
    void servedAndHeldAnnouncementsSayWhoMaintains() {
        under.host(announcement(1, NOW, "x", List.of(2, 3)));
        under.hold(announcement(2, NOW, "x", List.of(1)), Phase.REFERENCE);
        assertEquals(Set.of(StoreSamples.author(1), StoreSamples.author(2)), under.view.maintainers(address(1, "x")));
        assertEquals(Set.of(address(1, "x"), address(2, "x")), Set.copyOf(under.view.announced("x")));
        assertEquals(
                Set.of(StoreSamples.author(1), StoreSamples.author(2), StoreSamples.author(3)),
                under.view.listed("x").collect(Collectors.toSet()));
        assertEquals(List.of(), under.view.announced("no/identifier"));
        assertEquals(0, under.view.listed("unknown").count());
    }

    @Test
    void everyChangeIsToldOnTheLoop() throws Exception {
        var told = new LinkedBlockingQueue<Set<String>>();
        var end = under.onLoop(() -> under.view.watch(told::add));
        var held = announcement(1, NOW, "x");
        under.hold(held, Phase.ACTIVE);
        assertEquals(Set.of("x"), take(told));
        under.write(transaction -> transaction.release(held.id()));
        assertEquals(Set.of("x"), take(told));
        under.save(announcement(1, NOW + 1, "x", List.of(2)));
        assertEquals(Set.of("x"), take(told));
        under.onLoop(() -> {
            end.run();
            return true;
        });
        under.save(announcement(2, NOW, "y"));
        under.onLoop(() -> true);
        assertTrue(told.isEmpty());
    }

    private static <T> T take(LinkedBlockingQueue<T> queue) throws InterruptedException {
        return Optional.ofNullable(queue.poll(20, TimeUnit.SECONDS)).orElseThrow();
    }
}
