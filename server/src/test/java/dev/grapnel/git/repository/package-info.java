/// Repositories on disk: their places, coming and going, and lending objects.
@NullMarked
package dev.grapnel.git.repository;

import org.jspecify.annotations.NullMarked;
