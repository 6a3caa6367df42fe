package dev.grapnel.store.table;

import java.util.Locale;

/// The tables of the store. Names are written to disk: a change needs a new schema version.
public enum Table {
    /// Schema version, counters, clock row: name → value.
    META(Form.ROWS),
    /// Served events: commit number → record.
    EVENTS(Form.ROWS),
    /// Ids of served events: commit number → id, so that a list of ids is read without touching an event.
    NUMBERS(Form.ROWS),
    /// What a later copy of an event is refused by: deleter and target → tombstone.
    TOMBSTONES(Form.ROWS),
    /// Requests to delete and to vanish: request id → when it was seen and used.
    REQUESTS(Form.ROWS),
    /// Authors who asked to vanish: author → time and request.
    VANISHED(Form.ROWS),
    /// Authors and events the operator banned.
    BANS(Form.ROWS),
    /// Deletion requests of unknown authors: request id → row.
    GATES(Form.ROWS),
    /// What gates cover: author, target, request id → nothing.
    GATE_TARGETS(Form.ROWS),
    /// Gates by age: first sight, request id → size.
    GATE_AGES(Form.ROWS),
    /// Requests to delete and to vanish that left service and still block: request id → row.
    RETIRED_REQUESTS(Form.ROWS),
    /// The same by author: author, request id → nothing.
    RETIRED_AUTHORS(Form.ROWS),
    /// What left service: commit number, ordinal → what and why.
    REMOVALS(Form.ROWS),
    /// Ids of held events: event id → where its row is.
    HELD_IDS(Form.ROWS),
    /// Held events by author: author, event id → nothing.
    HELD_AUTHORS(Form.ROWS),
    /// What has changed about held events since their rows were written: event id → deadline, source,
    /// phase. Apart from the rows, because those hold whole events and deadlines move often.
    HELD_TERMS(Form.ROWS),
    HELD_ANNOUNCEMENTS(Form.ROWS),
    HELD_STATES(Form.ROWS),
    HELD_PROPOSALS(Form.ROWS),
    PLACEHOLDERS(Form.ROWS),
    EXPIRED_EVENTS(Form.ROWS),
    REPAIRS(Form.ROWS),
    TRASH(Form.ROWS),
    /// What has a repository here, or had: repository → standing.
    REPOSITORIES(Form.ROWS),
    /// What left service with its last repository: identifier, event id → event.
    TRASHED_EVENTS(Form.ROWS),
    ADOPTIONS(Form.ROWS),
    REFUSED_EVENTS(Form.ROWS),
    RELAY_HEALTH(Form.ROWS),
    /// Imports that have not come to their end: number → place in the input.
    IMPORTS(Form.ROWS),

    /// First half of the event id → posting.
    IDS(Form.POSTINGS),
    /// One list of everything.
    TIMES(Form.POSTINGS),
    AUTHORS(Form.POSTINGS),
    KINDS(Form.POSTINGS),
    AUTHOR_KINDS(Form.POSTINGS),
    TAGS(Form.POSTINGS),
    KIND_TAGS(Form.POSTINGS),
    /// Address → posting of the current version; alias → postings of events with such a further `d` tag.
    ADDRESSES(Form.POSTINGS),
    /// Second of expiry → postings.
    EXPIRIES(Form.POSTINGS);

    /// How a table is organised.
    public enum Form {
        /// Each key has one value.
        ROWS,
        /// Each key has a sorted list of 16-byte postings.
        POSTINGS
    }

    /// Longest key any table may have; what is longer must be hashed.
    public static final int KEY_BYTES_MAX = 511;

    private final Form form;

    Table(Form form) {
        this.form = form;
    }

    /// How it is organised.
    public Form form() {
        return form;
    }

    /// Its name on disk.
    public String storedName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
