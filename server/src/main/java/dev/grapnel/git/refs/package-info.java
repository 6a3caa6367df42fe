/// The refs of one repository: read as a whole, changed all or not at all.
///
/// Start at [RefStore]. [Refs] is an immutable picture of them; a change makes another one. They live in
/// the file `packed-refs` and in `HEAD`, which any git reads: one file is replaced in one step, however
/// many refs change, and names never meet the file system.
///
/// Not here: who may change them, and whether the objects they name exist.
@NullMarked
package dev.grapnel.git.refs;

import org.jspecify.annotations.NullMarked;
