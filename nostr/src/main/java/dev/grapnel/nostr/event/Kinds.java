package dev.grapnel.nostr.event;

/// Event kinds that have a meaning to this library (service 1.3).
public final class Kinds {
    public static final int PROFILE = 0;
    public static final int DELETION = 5;
    public static final int REPOST = 6;
    public static final int GENERIC_REPOST = 16;
    public static final int VANISH = 62;
    public static final int GIFT_WRAP = 1059;
    public static final int COMMENT = 1111;
    public static final int PATCH = 1617;
    public static final int PULL_REQUEST = 1618;
    public static final int PULL_REQUEST_UPDATE = 1619;
    public static final int ISSUE = 1621;
    public static final int STATUS_OPEN = 1630;
    public static final int STATUS_APPLIED = 1631;
    public static final int STATUS_CLOSED = 1632;
    public static final int STATUS_DRAFT = 1633;
    public static final int LABEL = 1985;
    public static final int RELAY_LIST = 10002;
    public static final int GRASP_LIST = 10317;
    public static final int RELAY_AUTH = 22242;
    public static final int HTTP_AUTH = 27235;
    public static final int ANNOUNCEMENT = 30617;
    public static final int STATE = 30618;

    /// The largest kind there is.
    public static final int MAX = 65_535;

    private Kinds() {}
}
