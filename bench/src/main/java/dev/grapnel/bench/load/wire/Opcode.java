package dev.grapnel.bench.load.wire;

/// Numbers of RFC 6455, section 5.2.
final class Opcode {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private Opcode() {}
}
