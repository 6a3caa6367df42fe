/// Negentropy against its vectors, against a naive peer and against hostile ones.
@NullMarked
package dev.grapnel.nostr.negentropy;

import org.jspecify.annotations.NullMarked;
