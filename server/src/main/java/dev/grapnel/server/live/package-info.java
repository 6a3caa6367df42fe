/// Takes new events to the subscriptions they match, at a cost that follows the matches and not the number of
/// open subscriptions (relay 7.5).
///
/// Start at [LiveMatcher], the one thread that does it, in commit order. [SubscriptionIndex] finds candidates
/// by one condition of each filter. Not here: what a subscription does with an event ([LiveSubscriber]).
///
/// Locks: each stripe of the index has one, held for looking up and changing its map only.
@NullMarked
package dev.grapnel.server.live;

import org.jspecify.annotations.NullMarked;
