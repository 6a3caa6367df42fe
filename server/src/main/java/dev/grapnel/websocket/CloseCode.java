package dev.grapnel.websocket;

/// Why a connection is closed (relay 6.5).
public final class CloseCode {
    public static final int NORMAL = 1000;
    public static final int GOING_AWAY = 1001;
    public static final int PROTOCOL_ERROR = 1002;
    public static final int UNACCEPTABLE = 1003;
    /// Never sent: the peer gave no code.
    public static final int NONE = 1005;
    public static final int BAD_TEXT = 1007;
    public static final int POLICY = 1008;
    public static final int TOO_BIG = 1009;
    public static final int INTERNAL_ERROR = 1011;
    public static final int TRY_LATER = 1013;

    private static final int DEFINED_FROM = 1000;
    private static final int DEFINED_TO = 1014;
    private static final int FREE_FROM = 3000;
    private static final int FREE_TO = 4999;

    private CloseCode() {}

    /// Whether a peer may send it.
    public static boolean isValid(int code) {
        boolean reserved = code == 1004 || code == NONE || code == 1006;
        return (code >= DEFINED_FROM && code <= DEFINED_TO && !reserved) || (code >= FREE_FROM && code <= FREE_TO);
    }
}
