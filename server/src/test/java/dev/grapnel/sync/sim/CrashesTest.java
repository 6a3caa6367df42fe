package dev.grapnel.sync.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// Some of what [SimulationRun] does in full.
final class CrashesTest {
    private static final int EVERY = 11;

    @Test
    void aNodeThatIsKilledAtAnyMessageCompletesItself() {
        long messages = Crashes.messages();
        assertTrue(messages > 300, () -> "there are only " + messages);
        for (long message = 1; message <= messages; message += EVERY) {
            Crashes.run(message, JoinedCore.usual());
        }
    }
}
