/// Tests of the log.
@NullMarked
package dev.grapnel.log;

import org.jspecify.annotations.NullMarked;
