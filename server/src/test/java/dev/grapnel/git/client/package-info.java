/// What counts as available, and how repositories get it, on real repositories.
@NullMarked
package dev.grapnel.git.client;

import org.jspecify.annotations.NullMarked;
