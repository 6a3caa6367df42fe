/// What refs reach: only that may be fetched, acknowledged, or built upon by a push.
///
/// Start at [Reach]. An object that is merely here may be somebody's secret: removed, not accepted yet, or
/// another owner's.
@NullMarked
package dev.grapnel.git.reach;

import org.jspecify.annotations.NullMarked;
