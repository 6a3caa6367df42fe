/// What pushes are judged by and where they go, with hands on its inside.
@NullMarked
package dev.grapnel.purgatory.intake;

import org.jspecify.annotations.NullMarked;
