/// Git hosts: one to try things out with, and what measures them.
@NullMarked
package dev.grapnel.bench.git;

import org.jspecify.annotations.NullMarked;
