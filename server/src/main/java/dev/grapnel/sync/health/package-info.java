/// How relays fare and when each may be dialled (sync 6, R4.4, R1.16, 8.6): failures, waits, limits they were found to
/// have, and who is next.
///
/// Start at [HealthBook]. Belongs to the loop. Not here: connections, what is asked.
@NullMarked
package dev.grapnel.sync.health;

import org.jspecify.annotations.NullMarked;
