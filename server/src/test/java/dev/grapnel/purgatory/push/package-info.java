/// Tests of who may push what.
@NullMarked
package dev.grapnel.purgatory.push;

import org.jspecify.annotations.NullMarked;
