@NullMarked
package dev.grapnel.client;

import org.jspecify.annotations.NullMarked;
