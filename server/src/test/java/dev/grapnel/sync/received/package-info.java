/// What happens to received events, with a scripted gate and a loop that turns only when told.
@NullMarked
package dev.grapnel.sync.received;

import org.jspecify.annotations.NullMarked;
