/// What hunting costs: how near its queues come to what the limits allow, and how fast it fetches beside `git fetch`.
///
/// Start at [HuntBench]. [Drain] and [QueueCosts] let the real core run in virtual time; [FetchRace], [RefsMeanwhile]
/// and [AreaLeft] use real servers, each in a process of its own.
@NullMarked
package dev.grapnel.bench.hunt;

import org.jspecify.annotations.NullMarked;
