package dev.grapnel.server;

import dev.grapnel.outbound.Dialer;
import dev.grapnel.outbound.Names;
import dev.grapnel.outbound.SystemNames;
import javax.net.ssl.SSLContext;

/// What of the world outside connections depend on.
///
/// @param names looks names up
/// @param tls whom to trust
/// @param end frees what looking up takes
record Outside(Names names, SSLContext tls, Runnable end) implements AutoCloseable {
    /// As this machine sees it.
    static Outside real() {
        var names = SystemNames.open(System::nanoTime);
        return new Outside(names, Dialer.systemTls(), names::close);
    }

    @Override
    public void close() {
        end.run();
    }
}
