package dev.grapnel.sync.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The list of deliberate faults fits the core as it is; whether they are found is shown by [MutantsRun].
final class MutantsTest {
    @ParameterizedTest
    @FieldSource("dev.grapnel.sync.sim.Mutants#ALL")
    void aMutantReplacesWhatIsThereOnce(Mutant mutant) throws IOException {
        assertEquals(1, mutant.places(), "in " + mutant.file());
        assertNotEquals(mutant.old(), mutant.fresh());
        mutant.shownBy().forEach(Scene::of);
    }

    @Test
    void mutantsHaveNamesOfTheirOwn() {
        var names = new HashSet<String>();
        Mutants.ALL.forEach(mutant -> assertTrue(names.add(mutant.name()), mutant.name()));
    }
}
