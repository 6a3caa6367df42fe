/// What tests of the store have in common.
@NullMarked
package dev.grapnel.store;

import org.jspecify.annotations.NullMarked;
