package dev.grapnel.server.live;

import dev.grapnel.nostr.filter.Filter;
import org.jspecify.annotations.Nullable;

/// One filter of a subscriber, found under several keys.
final class Registration {
    private final Recipient recipient;
    private final Filter filter;
    private final Entry[] entries;
    /// The last event it was found for: it may be found under several of its keys. The matcher's alone.
    private long found = -1;

    /// Who hears of the event, however many filters match it.
    static final class Recipient {
        private final LiveSubscriber subscriber;
        private long told = -1;

        Recipient(LiveSubscriber subscriber) {
            this.subscriber = subscriber;
        }

        LiveSubscriber subscriber() {
            return subscriber;
        }

        boolean isFirst(long turn) {
            boolean first = told != turn;
            told = turn;
            return first;
        }
    }

    /// A place in the index. Linked with its neighbours, so that it can be taken out without a search.
    static final class Entry {
        final long key;
        final Registration registration;

        @Nullable
        Entry previous;

        @Nullable
        Entry next;

        Entry(long key, Registration registration) {
            this.key = key;
            this.registration = registration;
        }
    }

    Registration(Recipient recipient, Filter filter) {
        this.recipient = recipient;
        this.filter = filter;
        long[] keys = Anchors.of(filter);
        entries = new Entry[keys.length];
        for (int i = 0; i < keys.length; i++) {
            entries[i] = new Entry(keys[i], this);
        }
    }

    Recipient recipient() {
        return recipient;
    }

    Filter filter() {
        return filter;
    }

    Entry[] entries() {
        return entries;
    }

    /// Whether this event, known by the matcher's own count, comes for the first time.
    boolean isFirst(long turn) {
        boolean first = found != turn;
        found = turn;
        return first;
    }
}
