/// The program: [Grapnel] reads the command line, builds the parts, starts and stops them.
@NullMarked
package dev.grapnel;

import org.jspecify.annotations.NullMarked;
