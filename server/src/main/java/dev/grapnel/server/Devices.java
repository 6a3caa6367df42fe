package dev.grapnel.server;

import dev.grapnel.git.Disk;
import dev.grapnel.store.table.TableEngine;
import java.util.function.UnaryOperator;

/// What a server keeps its data on. Tests put devices in their place that end the process at a chosen step.
///
/// @param disk for repositories
/// @param engines given the store's engine, the one that is used
record Devices(Disk disk, UnaryOperator<TableEngine> engines) {
    /// Those of this machine.
    static final Devices REAL = new Devices(Disk.REAL, UnaryOperator.identity());
}
