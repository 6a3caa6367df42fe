/// Tables in one LMDB file: written by LMDB itself, read by our own code.
///
/// Start at [LmdbEngine]. The native library is called only by the one writer thread, through [Environment]
/// and [LmdbWrites], and only after [PageCheck] has walked through the whole file, because LMDB trusts every
/// byte it finds and a damaged page would end the process. [LmdbSnapshot] reads pages in Java, over a
/// mapping of its own, with every number checked before it is used; see [Pages] for the format.
///
/// Not here: what rows and postings mean. Locks, in their order: that of the native map in [LmdbEngine],
/// which is held while the file is opened or copied, and that of [Commits], which is not held across I/O.
@NullMarked
package dev.grapnel.store.lmdb;

import org.jspecify.annotations.NullMarked;
