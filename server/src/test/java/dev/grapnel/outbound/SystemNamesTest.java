package dev.grapnel.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.url.Host;
import dev.grapnel.outbound.Names.Lookup;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

final class SystemNamesTest {
    private static final InetAddress PUBLIC = InetAddress.ofLiteral("8.8.8.8");

    private final ManualTime time = new ManualTime();
    private final Map<String, InetAddress> known = new HashMap<>(Map.of("good.example", PUBLIC));
    private final SystemNames names = new SystemNames(this::resolve, Runnable::run, () -> {}, time);

    /// Row 239, sync R6.8: the resolver says the same of a name that does not exist and of its own failure.
    @Test
    void nameIsBelievedNotToExistOnlyIfAnotherWasFoundWithinTheLastMinute() {
        assertEquals(new Lookup.Failed(), look("bad.example"));
        assertEquals(new Lookup.Found(List.of(PUBLIC)), look("good.example"));
        time.advance(Duration.ofSeconds(60));
        assertEquals(new Lookup.NoSuchName(), look("bad.example"));
        time.advance(Duration.ofNanos(1));
        assertEquals(new Lookup.Failed(), look("bad.example"));
    }

    /// Row 239.
    @Test
    void nameThatWasFoundItselfIsNoWitness() {
        look("good.example");
        known.clear();
        assertEquals(new Lookup.Failed(), look("good.example"));
        known.putAll(Map.of("good.example", PUBLIC, "other.example", PUBLIC));
        look("other.example");
        look("good.example");
        look("good.example");
        known.clear();
        assertEquals(new Lookup.NoSuchName(), look("good.example"));
    }

    /// Row 239.
    @Test
    void namesOfThisMachineAreNoWitnesses() {
        known.put("dev.localhost", InetAddress.ofLiteral("127.0.0.1"));
        look("dev.localhost");
        assertEquals(new Lookup.Failed(), look("bad.example"));
    }

    @Test
    void lookUpFailsWhenNoThreadIsFree() {
        var busy = new SystemNames(
                this::resolve,
                _ -> {
                    throw new RejectedExecutionException();
                },
                () -> {},
                time);
        assertEquals(
                new Lookup.Failed(),
                busy.lookUp(Host.parse("good.example").require()).join());
    }

    @Test
    void resolverOfThisMachineIsAsked() {
        try (var real = SystemNames.open(System::nanoTime)) {
            var found = (Lookup.Found)
                    real.lookUp(Host.parse("localhost").require()).join();
            assertEquals(
                    List.of(),
                    found.addresses().stream()
                            .filter(address -> !address.isLoopbackAddress())
                            .toList());
        }
    }

    private Lookup look(String name) {
        return names.lookUp(Host.parse(name).require()).join();
    }

    private InetAddress[] resolve(String name) throws UnknownHostException {
        var address = known.get(name);
        if (address == null) {
            throw new UnknownHostException(name + ": whatever the resolver says");
        }
        return new InetAddress[] {address};
    }
}
