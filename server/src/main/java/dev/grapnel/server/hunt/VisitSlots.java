package dev.grapnel.server.hunt;

import dev.grapnel.outbound.Slots;
import dev.grapnel.purgatory.hunt.Permits;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Asks hunting for each connection of a visit. What it grants is the visit's until that ends, so there is nothing
/// to give back here.
public final class VisitSlots implements Slots {
    private static final Slot HELD = () -> {};

    private final Permits permits;
    private volatile @Nullable InetAddress refused;

    VisitSlots(Permits permits) {
        this.permits = permits;
    }

    @Override
    public Optional<Slot> tryTake(InetAddress address) {
        if (permits.connect(address)) {
            return Optional.of(HELD);
        }
        refused = address;
        return Optional.empty();
    }

    /// Behind the proxy for onion services every machine looks the same, and domains have limits of their own.
    @Override
    public Optional<Slot> tryTake(String machine) {
        return Optional.of(HELD);
    }

    /// An address where no place was free.
    Optional<InetAddress> refused() {
        return Optional.ofNullable(refused);
    }
}
