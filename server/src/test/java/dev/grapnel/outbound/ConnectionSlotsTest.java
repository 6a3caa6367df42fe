package dev.grapnel.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// P-654.
final class ConnectionSlotsTest {
    private static final InetAddress HERE = InetAddress.ofLiteral("8.8.8.8");
    private static final InetAddress THERE = InetAddress.ofLiteral("8.8.4.4");

    @Test
    void oneAddressHasSoManyPlacesAndNobodyWaits() {
        var slots = new ConnectionSlots(() -> 2, () -> {});
        var first = slots.tryTake(HERE).orElseThrow();
        assertTrue(slots.tryTake(HERE).isPresent());
        assertTrue(slots.tryTake(HERE).isEmpty());
        assertTrue(slots.tryTake(THERE).isPresent());
        first.close();
        assertTrue(slots.tryTake(HERE).isPresent());
    }

    @Test
    void placeIsGivenBackOnceAndToldOnce() {
        var told = new AtomicInteger();
        var slots = new ConnectionSlots(() -> 1, told::incrementAndGet);
        var slot = slots.tryTake(HERE).orElseThrow();
        slot.close();
        slot.close();
        assertEquals(1, told.get());
        assertTrue(slots.tryTake(HERE).isPresent());
        slot.close();
        assertTrue(slots.tryTake(HERE).isEmpty());
        assertEquals(1, slots.inUse());
    }

    @Test
    void addressesThatHoldOneMachineShareItsPlaces() {
        var slots = new ConnectionSlots(() -> 1, () -> {});
        assertTrue(slots.tryTake(HERE).isPresent());
        assertTrue(slots.tryTake(InetAddress.ofLiteral("64:ff9b::808:808")).isEmpty());
        assertTrue(slots.tryTake(InetAddress.ofLiteral("2002:808:808::1")).isEmpty());
    }

    @Test
    void changedNumberHoldsFromThenOn() {
        var max = new AtomicInteger(1);
        var slots = new ConnectionSlots(max::get, () -> {});
        assertTrue(slots.tryTake(HERE).isPresent());
        assertTrue(slots.tryTake(HERE).isEmpty());
        max.set(2);
        assertTrue(slots.tryTake(HERE).isPresent());
    }

    @Test
    void manyThreadsNeverHaveMoreAndLeaveNothingBehind() throws Exception {
        var slots = new ConnectionSlots(() -> 10, () -> {});
        var atOnce = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 100; i++) {
                tasks.add(threads.submit(() -> takeOften(slots, atOnce)));
            }
            for (var task : tasks) {
                assertTrue(task.get() <= 10);
            }
        }
        assertEquals(0, slots.inUse());
    }

    private static int takeOften(ConnectionSlots slots, AtomicInteger atOnce) {
        int most = 0;
        for (int i = 0; i < 200; i++) {
            var slot = slots.tryTake(HERE);
            if (slot.isPresent()) {
                most = Math.max(most, atOnce.incrementAndGet());
                atOnce.decrementAndGet();
                slot.get().close();
            }
        }
        return most;
    }
}
