package dev.grapnel.sync.link;

/// Which classes of live coverage are given up, one after the other, where there is too little room (R3.24).
final class GivenUp {
    /// Everything but a wide filter (8.5).
    static final int WIDE_PLAN = 4;

    /// Everything but announcements, or these, too: there is no room for any live filter.
    static final int EVERYTHING = 5;

    private GivenUp() {}

    /// By which letters a layer is still streamed.
    ///
    /// @param level how many classes are given up
    static String letters(Layer layer, int level) {
        return switch (layer) {
            case ANNOUNCEMENTS -> "";
            case STATES -> level < WIDE_PLAN ? "d" : "";
            case TAGS -> level < 2 ? "aAq" : level == 2 ? "aA" : level == 3 ? "a" : "";
            case ROOTS -> level < 2 ? "eEq" : level < WIDE_PLAN ? "eE" : "";
            case THREADS -> level < 1 ? "eq" : "";
            case THREAD_ADDRESSES -> level < 1 ? "a" : "";
        };
    }
}
