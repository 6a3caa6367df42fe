package dev.grapnel.sync.sim;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Test 157 with a part of the repositories; all of them are mirrored by [SimulationRun].
final class MirrorTest {
    static Stream<Mirror.Make> makes() {
        return Mirror.Make.all().stream().filter(Mirror.Make::isRoomy);
    }

    @ParameterizedTest
    @MethodSource("makes")
    void aServerIsMirroredInMinutes(Mirror.Make make) {
        make.check(250, JoinedCore.usual());
    }
}
