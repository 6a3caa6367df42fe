package dev.grapnel.outbound;

import java.net.InetAddress;
import java.util.Optional;

/// Whether one more connection may lead to a machine. Nobody waits for a place.
public interface Slots {
    /// A place, until it is closed.
    interface Slot extends AutoCloseable {
        @Override
        void close();
    }

    /// A place at an address; empty if none is free.
    Optional<Slot> tryTake(InetAddress address);

    /// A place at a machine whose address is not known; empty if none is free.
    Optional<Slot> tryTake(String machine);
}
