package dev.grapnel.nostr.event;

/// How large an event may be (relay, first table).
///
/// @param eventBytesMax bytes of the normalised JSON
/// @param tagsMax number of tags
/// @param tagValueBytesMax bytes of one tag element as UTF-8
/// @param contentMax characters (code points) of the content
/// @param depthMax levels of brackets in any JSON text around and inside the event
public record EventLimits(int eventBytesMax, int tagsMax, int tagValueBytesMax, int contentMax, int depthMax) {
    /// What a Grapnel relay enforces unless told otherwise.
    public static final EventLimits DEFAULTS = new EventLimits(2_097_152, 25_000, 65_536, 524_288, 32);

    /// @throws IllegalArgumentException naming the limit that cannot be
    public EventLimits {
        requirePositive("max-event-bytes", eventBytesMax);
        requirePositive("max-event-tags", tagsMax);
        requirePositive("max-tag-value-bytes", tagValueBytesMax);
        requirePositive("max-content-length", contentMax);
        requirePositive("max-json-depth", depthMax);
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1");
        }
    }
}
