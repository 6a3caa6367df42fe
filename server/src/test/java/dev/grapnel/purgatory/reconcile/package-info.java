/// Runs without repositories, for those who simulate many servers.
@NullMarked
package dev.grapnel.purgatory.reconcile;

import org.jspecify.annotations.NullMarked;
