/// Tests of sync, and pictures of it that other tests look at.
@NullMarked
package dev.grapnel.sync;

import org.jspecify.annotations.NullMarked;
