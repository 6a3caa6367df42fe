@NullMarked
package dev.grapnel.sync.link;

import org.jspecify.annotations.NullMarked;
