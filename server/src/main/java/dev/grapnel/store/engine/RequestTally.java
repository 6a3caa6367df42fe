package dev.grapnel.store.engine;

/// What a pass over deletion requests has done in one commit (service 4.9.3).
///
/// @param retired requests that left service
/// @param tombstones tombstones that were forgotten
/// @param forgotten requests that were forgotten
/// @param skipped what had changed between the look and the commit, and passes that met another one
public record RequestTally(int retired, int tombstones, int forgotten, int skipped) {
    static final RequestTally NOTHING = new RequestTally(0, 0, 0, 0);
    static final RequestTally RETIRED = new RequestTally(1, 0, 0, 0);
    static final RequestTally TOMBSTONE = new RequestTally(0, 1, 0, 0);
    static final RequestTally FORGOTTEN = new RequestTally(0, 0, 1, 0);
    static final RequestTally SKIPPED = new RequestTally(0, 0, 0, 1);

    RequestTally plus(RequestTally other) {
        return new RequestTally(
                retired + other.retired,
                tombstones + other.tombstones,
                forgotten + other.forgotten,
                skipped + other.skipped);
    }
}
