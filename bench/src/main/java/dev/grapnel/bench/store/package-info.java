/// Measures the event store on a million events: ingest against bare LMDB, every query shape of git clients,
/// opening, size.
///
/// Start at [StoreBench]. No JMH: what counts are percentiles on a large store, and phases that must alternate.
@NullMarked
package dev.grapnel.bench.store;

import org.jspecify.annotations.NullMarked;
