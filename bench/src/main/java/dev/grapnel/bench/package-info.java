/// Measures the protocol library. [Benchmarks] runs everything and prints tables; [Sample] holds the events measured
/// with.
///
/// `./mvnw -q -Pbench -pl bench -am process-classes` runs all; see the profile in `bench/pom.xml` for how to run one.
@NullMarked
package dev.grapnel.bench;

import org.jspecify.annotations.NullMarked;
