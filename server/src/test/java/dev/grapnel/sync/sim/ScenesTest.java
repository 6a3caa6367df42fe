package dev.grapnel.sync.sim;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The small stories of [Scenes], which are there to find deliberate faults, are true of the core as it is.
final class ScenesTest {
    static Stream<Scene> stories() {
        return Scene.ALL.stream().filter(scene -> !scene.isRandom());
    }

    @ParameterizedTest
    @MethodSource("stories")
    void aStoryIsTrue(Scene scene) {
        scene.run().accept(1);
    }
}
