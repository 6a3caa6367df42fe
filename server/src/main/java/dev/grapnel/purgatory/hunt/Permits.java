package dev.grapnel.purgatory.hunt;

import java.net.InetAddress;

/// What a visit asks the core for while it goes on. Whatever is granted belongs to the visit until its end; asking
/// again for the same costs nothing.
public interface Permits {
    /// Before a connection. If not, the visit ends with [Failure.BusyAddress].
    boolean connect(InetAddress address);

    /// Before a redirect to another domain is followed. If not, the visit ends with [Failure.Passing] (P-805).
    boolean redirect(Site target);
}
