/// Tests of how pushes are answered.
@NullMarked
package dev.grapnel.git.push;

import org.jspecify.annotations.NullMarked;
