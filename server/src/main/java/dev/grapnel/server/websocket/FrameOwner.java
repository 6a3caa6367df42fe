package dev.grapnel.server.websocket;

/// What messages belong to, so that they can be taken back together.
public interface FrameOwner {
    /// Whether nothing of it shall be sent any more: what is queued later is dropped.
    boolean isOver();
}
