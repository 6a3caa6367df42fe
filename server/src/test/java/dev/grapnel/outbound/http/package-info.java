@NullMarked
package dev.grapnel.outbound.http;

import org.jspecify.annotations.NullMarked;
