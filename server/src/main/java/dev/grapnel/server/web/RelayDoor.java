package dev.grapnel.server.web;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Where requests for a WebSocket go; those that are broken too, which it refuses.
@FunctionalInterface
public interface RelayDoor {
    /// Answers the request. The headers that every answer carries are in the response already.
    void open(Request request, Response response, Callback callback);
}
