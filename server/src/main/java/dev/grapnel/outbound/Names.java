package dev.grapnel.outbound;

import dev.grapnel.nostr.url.Host;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Looks names up.
public interface Names {
    /// What came of it.
    sealed interface Lookup {
        /// All addresses of the name, in the order in which they should be tried.
        record Found(List<InetAddress> addresses) implements Lookup {
            public Found {
                addresses = List.copyOf(addresses);
            }
        }

        /// Nobody has this name, as far as can be told (sync R6.8).
        record NoSuchName() implements Lookup {}

        /// It is not known whether somebody has it.
        record Failed() implements Lookup {}
    }

    /// Looks a name up, once. The future is never completed exceptionally; whoever no longer wants the answer
    /// cancels it.
    CompletableFuture<Lookup> lookUp(Host name);
}
