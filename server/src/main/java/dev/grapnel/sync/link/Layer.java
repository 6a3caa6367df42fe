package dev.grapnel.sync.link;

/// The layers of filters (sync 3.1), and the tags each asks by.
enum Layer {
    /// Announcements; not by a tag.
    ANNOUNCEMENTS(""),
    STATES("d"),
    /// What tags repositories or states.
    TAGS("aAq"),
    /// What tags root events.
    ROOTS("eEq"),
    /// What tags members of threads.
    THREADS("eq"),
    /// What tags members of threads that have an address.
    THREAD_ADDRESSES("a");

    private final String letters;

    Layer(String letters) {
        this.letters = letters;
    }

    /// Each is a filter of its own.
    String letters() {
        return letters;
    }

    boolean isThread() {
        return this == THREADS || this == THREAD_ADDRESSES;
    }
}
