package dev.grapnel.bench.load.wire;

/// Who masks: RFC 6455 wants it of clients and forbids it to servers.
public enum Side {
    CLIENT,
    SERVER
}
