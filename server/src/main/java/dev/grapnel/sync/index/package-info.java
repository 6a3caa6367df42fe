/// What is wanted: repositories, their relays, roots and threads, kept from the stream of what is served and from
/// purgatory (sync 1.3, 2.1, 3.5, 8).
///
/// Start at [WantedIndex]: mutations go in, changes come out as [IndexChange]. [Targets] is how links read it, and
/// [SelfFeed] brings the mutations.
/// Not here: what was asked or confirmed (links keep their marks in [PairMarks], whose rows live and die with the
/// pairs), connections, filters. Belongs to the loop; nothing here waits, and long work is cut into slices.
@NullMarked
package dev.grapnel.sync.index;

import org.jspecify.annotations.NullMarked;
