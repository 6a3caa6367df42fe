/// Tries the import of the existing server's purgatory file on files as that server writes them, and on bad ones.
@NullMarked
package dev.grapnel.purgatory.legacy;

import org.jspecify.annotations.NullMarked;
