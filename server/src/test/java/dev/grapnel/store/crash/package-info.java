/// What the store survives, tried on real processes and real files: kill -9, a full disk, damaged bytes.
///
/// Start at [StoreCrashTest], [FullDiskTest] and [StoreDamageTest]; each begins a JVM of its own and does to it
/// what the world does to servers. [Workload] is what is written: every step is a pure function of a seed and a
/// number, so whoever knows both knows what must be there. The long runs are Maven profiles in
/// `server/pom.xml`.
@NullMarked
package dev.grapnel.store.crash;

import org.jspecify.annotations.NullMarked;
