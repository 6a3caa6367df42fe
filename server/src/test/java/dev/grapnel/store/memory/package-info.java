/// Memory for the contract of the store.
@NullMarked
package dev.grapnel.store.memory;

import org.jspecify.annotations.NullMarked;
