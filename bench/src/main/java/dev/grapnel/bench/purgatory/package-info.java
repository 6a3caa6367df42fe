/// What GRASP's rules cost: judging, sets of maintainers, memory of purgatory, the start.
@NullMarked
package dev.grapnel.bench.purgatory;

import org.jspecify.annotations.NullMarked;
