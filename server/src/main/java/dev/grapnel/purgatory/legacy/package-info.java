/// Takes over what waited in the existing server: its one purgatory file, once (purgatory P-711, P-712).
///
/// Start at [PurgatoryFile]. The file is read in passes, each a walk of [FilePass] that holds one entry at a time:
/// [Survey] finds out what can be used before anything is changed, [SetAside] writes down what cannot, [RowWriter]
/// puts the rest into the store in one transaction. [EntryReader] alone knows what the file looks like inside.
///
/// Not here: the rest of the old server's data (databases, repositories, staging). Nothing here decides about an
/// event; the store does, as if it had just arrived. No state: an import that was cut off is repeated from the
/// beginning and changes nothing twice.
@NullMarked
package dev.grapnel.purgatory.legacy;

import org.jspecify.annotations.NullMarked;
