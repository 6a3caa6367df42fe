/// Keeps repositories fast while they are served: few packs, bitmaps, a commit graph, and nothing nobody
/// needs.
///
/// Start at [RepositoryUpkeep], which is one visit to one repository, then [Maintenance], which decides
/// whom to visit and when. [MergePlan] and [RepackNeed] are the decisions, pure; [PackMerge] and
/// [FullRepack] do the work; [GitCheck] and [TipCheck] only look.
///
/// What holds here: an object leaves only if no root reaches it (refs, [KeepRoots], [FormerTips] within the
/// grace period) and everything that stays has all it links to. New files are durable before old ones go;
/// the index goes first, at the swap, and the rest when the reads that began before it have ended ([Uses]).
/// A merge drops no object, so it asks nobody.
///
/// Not here: refs are never changed, loose objects are never written. One thread at a time works on a
/// repository.
@NullMarked
package dev.grapnel.git.maintenance;

import org.jspecify.annotations.NullMarked;
