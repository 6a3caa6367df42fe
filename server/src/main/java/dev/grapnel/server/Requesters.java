package dev.grapnel.server;

import dev.grapnel.server.address.ClientAddress;
import dev.grapnel.server.address.ClientAddresses;
import dev.grapnel.server.web.ServiceIdentity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Request;

/// Who sends requests, and how they came here.
record Requesters(ClientAddresses clients, ServiceIdentity identity) {
    ClientAddress addressOf(Request request) {
        return clients.of(peerOf(request), request.getHeaders()::getValuesList);
    }

    /// Service 6.9: what a trusted proxy says; else whoever came without one used no TLS.
    boolean useTls(Request request) {
        var peer = peerOf(request);
        return clients.findTls(peer, request.getHeaders()::getValuesList)
                .orElseGet(
                        () -> clients.isForwarded(peer, request.getHeaders()::getValuesList) && !identity.isLoopback());
    }

    private static InetAddress peerOf(Request request) {
        return ((InetSocketAddress) request.getConnectionMetaData().getRemoteSocketAddress()).getAddress();
    }
}
