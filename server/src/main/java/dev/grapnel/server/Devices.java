package dev.grapnel.server;

import dev.grapnel.git.Disk;
import dev.grapnel.store.table.TableEngine;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// What a server keeps its data on, and what it finds outside. Tests put devices in their place that end the process
/// at a chosen step, and worlds of their own.
///
/// @param disk for repositories
/// @param engines given the store's engine, the one that is used
/// @param outside made when it is needed
record Devices(Disk disk, UnaryOperator<TableEngine> engines, Supplier<Outside> outside) {
    /// Those of this machine.
    static final Devices REAL = new Devices(Disk.REAL, UnaryOperator.identity(), Outside::real);
}
