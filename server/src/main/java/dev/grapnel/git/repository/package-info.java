/// Where repositories lie, how they come and go, and how they lend each other objects.
///
/// Start at [Repositories]; what it hands out are leases on open repositories, which others use and close.
/// A [Quarantine] is where objects wait until they may come in; [Sharing] copies history between two
/// repositories. [Staging] and [HuntingAreas] keep what belongs to no repository yet.
///
/// On disk: `<npub>/<identifier>.git` are bare repositories that any git reads; everything else of ours
/// lies in `.grapnel`, and a name in there never becomes visible before what it names is complete. No
/// repository names another, and no file holds an absolute path, so the directory may be moved.
///
/// Not here: which repositories ought to exist, and who may change them. Locks: the one for places (coming
/// and going) is taken before the one for open repositories; neither is held while objects are copied. That
/// of hunting areas is held while one comes, grows or goes, and none is taken meanwhile.
@NullMarked
package dev.grapnel.git.repository;

import org.jspecify.annotations.NullMarked;
