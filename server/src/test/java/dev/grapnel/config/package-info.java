@NullMarked
package dev.grapnel.config;

import org.jspecify.annotations.NullMarked;
