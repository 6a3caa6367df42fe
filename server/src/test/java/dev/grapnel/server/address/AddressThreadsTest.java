package dev.grapnel.server.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.server.address.Admitted.Welcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Many threads at once.
final class AddressThreadsTest {
    private static final int THREADS = 64;
    private static final Rate PLENTY = Rate.perSecond(Rate.MOST, Rate.MOST);

    private static <T> List<T> runAll(List<Callable<T>> tasks) throws InterruptedException, ExecutionException {
        var results = new ArrayList<T>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var result : threads.invokeAll(tasks)) {
                results.add(result.get());
            }
        }
        return results;
    }

    private static <T> List<Callable<T>> forEachThread(IntFunction<Callable<T>> task) {
        return IntStream.range(0, THREADS).mapToObj(task).toList();
    }

    @Test
    void connectionsNeverExceedTheirLimitsAndAllAreGivenBack() throws Exception {
        var limits = new AddressLimits(40, 7, PLENTY, PLENTY, PLENTY, List.of(), 3, 10);
        var book = new AddressBook(limits, System::nanoTime);
        var all = new AtomicInteger();
        var each = IntStream.range(0, 10).mapToObj(_ -> new AtomicInteger()).toList();
        int welcomed = runAll(AddressThreadsTest.<Integer>forEachThread(thread -> () -> {
                    var random = new Random(thread);
                    int count = 0;
                    for (int i = 0; i < 2_000; i++) {
                        int which = random.nextInt(each.size());
                        if (book.connect(ClientAddress.parse("192.0.2." + which).require())
                                instanceof Welcome(var client)) {
                            count++;
                            assertTrue(all.incrementAndGet() <= limits.connectionsMax());
                            assertTrue(each.get(which).incrementAndGet() <= limits.connectionsPerAddress());
                            for (int message = 0; message < 10; message++) {
                                client.mayPublish();
                            }
                            each.get(which).decrementAndGet();
                            all.decrementAndGet();
                            client.close();
                            client.close();
                        }
                    }
                    return count;
                }))
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
        assertTrue(welcomed > THREADS);
        assertEquals(new AddressFigures(0, 0, 0), book.figures());
        assertTrue(book.remembered() <= limits.rememberedMax());
    }

    @Test
    void messagesOfManyThreadsAreCountedOnce() throws Exception {
        var limits = new AddressLimits(
                1_000, 1_000, PLENTY, Rate.perSecond(50, 1_000), Rate.perSecond(50, 500), List.of(), 10, 10);
        var time = new ManualNanos();
        var book = new AddressBook(limits, time);
        var address = ClientAddress.parse("2001:db8::1").require();
        var granted = runAll(AddressThreadsTest.<List<Integer>>forEachThread(_ -> () -> {
            var client = ((Welcome) book.connect(address)).client();
            int events = 0;
            int queries = 0;
            for (int i = 0; i < 1_000; i++) {
                events += client.mayPublish() ? 1 : 0;
                queries += client.mayQuery() ? 1 : 0;
            }
            return List.of(events, queries);
        }));
        assertEquals(1_000, granted.stream().mapToInt(List::getFirst).sum());
        assertEquals(500, granted.stream().mapToInt(List::getLast).sum());
        assertEquals(new AddressFigures(THREADS, 1, 1), book.figures());
    }

    @Test
    void oneConnectionClosedByManyThreadsIsClosedOnce() throws Exception {
        var book = new AddressBook(AddressLimits.DEFAULTS, System::nanoTime);
        var address = ClientAddress.parse("192.0.2.1").require();
        var client = ((Welcome) book.connect(address)).client();
        book.connect(address);
        runAll(AddressThreadsTest.<Boolean>forEachThread(_ -> () -> {
            client.close();
            return true;
        }));
        assertEquals(new AddressFigures(1, 1, 0), book.figures());
    }
}
