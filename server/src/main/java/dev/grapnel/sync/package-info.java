/// Follows the relays that repositories name, so that this server becomes complete by itself (GRASP-02).
///
/// Start at [SyncCore]: it joins what is wanted (`index`), who is dialled when (`health`), what is asked of each relay
/// (`link`) and what becomes of what comes (`received`). All of it runs on one loop and knows the world only through
/// `world`, so that a whole network of servers can be simulated from a seed. Sync only pulls: nothing is ever sent to a
/// relay but questions.
@NullMarked
package dev.grapnel.sync;

import org.jspecify.annotations.NullMarked;
