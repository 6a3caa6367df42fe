/// Serves fetches and clones: `git-upload-pack`, protocol versions 0 and 2 (service 2.6).
///
/// Start at [UploadPack]. A request is read whole into a [FetchRequest], because it is bounded;
/// [Negotiation] finds out what both sides have, [ShallowCut] where history is to end, [PackSender] sends.
/// [Advertisement] says what there is.
///
/// What refs do not reach is not here, whatever the store holds: it is neither sent nor acknowledged.
@NullMarked
package dev.grapnel.git.fetch;

import org.jspecify.annotations.NullMarked;
