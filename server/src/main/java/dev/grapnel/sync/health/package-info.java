/// How relays fare and when each may be dialled (sync 6, R4.4, R1.16, 8.6): failures, waits, limits they were found to
/// have, and who is next.
///
/// Start at [DialOrder]: it is told what is wanted and what happened, and says whom to dial. [RelayRecord] is what is
/// known of one relay, [HealthBook] keeps them, [HealthSnapshots] writes them down. [RequestRate] and [SlidingLimit]
/// are arithmetic for links. Belongs to the loop. Not here: connections, what is asked, logs ([HealthNote] tells).
@NullMarked
package dev.grapnel.sync.health;

import org.jspecify.annotations.NullMarked;
