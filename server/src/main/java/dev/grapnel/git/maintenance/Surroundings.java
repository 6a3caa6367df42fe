package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/// What maintenance works with.
///
/// @param time of the wall, for ages of files
/// @param nanos a clock that never goes back
public record Surroundings(Disk disk, Pauser pauser, InstantSource time, LongSupplier nanos) {
    /// The real world.
    public static final Surroundings REAL =
            new Surroundings(Disk.REAL, Pauser.REAL, InstantSource.system(), System::nanoTime);
}
