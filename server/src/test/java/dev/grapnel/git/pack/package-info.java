/// Packs from real git, and packs that no honest git makes.
@NullMarked
package dev.grapnel.git.pack;

import org.jspecify.annotations.NullMarked;
