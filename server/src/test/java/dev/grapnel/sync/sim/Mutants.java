package dev.grapnel.sync.sim;

import java.util.List;
import java.util.stream.Stream;

/// Deliberate faults in the core, each in one line, all of which the simulation finds: see [MutantsRun]. Each breaks a
/// rule that somebody once got wrong, or could.
final class Mutants {
    static final List<Mutant> ALL =
            Stream.concat(LinkMutants.ALL.stream(), CoreMutants.ALL.stream()).toList();

    private Mutants() {}
}
