/// Measures. [Benchmarks] runs everything and prints tables; [Sample] holds single events of every size,
/// and [Community] makes millions of them that belong together, which [Generator] writes to a file.
///
/// Package `load` measures running relays from outside; `store` the store from inside; `purgatory` what the
/// rules of GRASP cost.
///
/// `./mvnw -q -Pbench -pl bench -am process-classes` runs all; see the profiles in `bench/pom.xml` for how
/// to run one and how to generate.
///
/// A community is told by [Chronicle], which decides what happens, in words of [Composer], which knows what
/// each kind of event looks like. Both work in order on one thread; only signing is spread over cores.
@NullMarked
package dev.grapnel.bench;

import org.jspecify.annotations.NullMarked;
