/// Fuzz targets: whatever bytes come, nothing throws or hangs, and what is accepted means what Jackson reads in it.
///
/// Each target is a plain class with `fuzzerTestOneInput`, so that compiling needs no fuzzer. The profile `fuzz` runs
/// one
/// of them under Jazzer; [FuzzRegressionTest] runs all of them over the kept inputs in every build.
@NullMarked
package dev.grapnel.nostr.fuzz;

import org.jspecify.annotations.NullMarked;
