/// What it costs that pushes are decided by signed states: from the push until its state is served, beside a plain push
/// of the same pack to a host where everybody may push.
///
/// Start at [PushBench]. One push and its moments are in [TimedPush] and [Served]; each part prints its own table.
@NullMarked
package dev.grapnel.bench.push;

import org.jspecify.annotations.NullMarked;
