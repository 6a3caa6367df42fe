/// Serves pushes: `git-receive-pack` (service 6.1, 6.7, 6.9).
///
/// Start at [ReceivePack]. The commands are read and judged before the pack is: [PushPolicy] is asked, and
/// what it refuses never meets the git machinery. The pack is received into quarantine and checked; then
/// the policy is asked once more, under its locks, and what it lets through becomes objects and refs in one
/// step. [PushReport] tells the client, for each ref.
///
/// Not here: who may push what. A push is judged as a whole.
@NullMarked
package dev.grapnel.git.push;

import org.jspecify.annotations.NullMarked;
