/// What following other relays costs.
///
/// Start at [IndexBench]: the index of what is wanted, filled to the loads of sync 8.1.
@NullMarked
package dev.grapnel.bench.sync;

import org.jspecify.annotations.NullMarked;
