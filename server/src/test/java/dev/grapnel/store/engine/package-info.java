/// What every store must do, as interfaces full of tests ([StoreContract] and the others), run against each
/// engine.
@NullMarked
package dev.grapnel.store.engine;

import org.jspecify.annotations.NullMarked;
