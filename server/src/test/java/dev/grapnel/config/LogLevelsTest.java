package dev.grapnel.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.LogLevels.Level;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LogLevelsTest {
    private static LogLevels levels(String text) {
        return LogLevels.parse(text).require();
    }

    @Test
    void levelAloneIsForGrapnel() {
        assertEquals(Map.of("dev.grapnel", Level.DEBUG), levels("Debug").loggers());
        assertEquals(Level.TRACE, levels("trace").own());
    }

    @Test
    void partsAreNamedAsInTheLogOrInFull() {
        assertEquals(
                Map.of(
                        "dev.grapnel", Level.WARN,
                        "dev.grapnel.server.relay", Level.DEBUG,
                        "dev.grapnel.store", Level.TRACE,
                        "dev.grapnel.config", Level.ERROR,
                        "org.eclipse.jetty.server", Level.INFO),
                levels("server.relay=debug, warn ,grapnel.store=trace,dev.grapnel.config=error,"
                                + "org.eclipse.jetty.server=info,")
                        .loggers());
        assertEquals(Map.of("dev.grapnel", Level.WARN), levels("grapnel=warn").loggers());
        assertEquals(Level.INFO, levels("store=debug").own());
    }

    @Test
    void namesThatNothingHasAreKnownAsSuch() {
        var levels = levels("ngit_grasp=debug,info,stores=debug,org.example=warn,grapnel=warn,store=warn");
        assertEquals(List.of("ngit_grasp", "org.example", "stores"), levels.unknownNames());
        assertEquals(Map.of("dev.grapnel", Level.WARN, "dev.grapnel.store", Level.WARN), levels.loggers());
    }

    @Test
    void whatIsNoLevelIsRefused() {
        for (var text :
                List.of("verbose", "off", "store=", "=info", "info,debug", "store=info,store=debug", "store=x")) {
            assertTrue(LogLevels.parse(text).find().isEmpty(), text);
        }
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        assertEquals("info,a=warn,store=debug", levels("store=debug,a=WARN").toString());
        assertEquals(levels("store=debug,a=WARN"), levels("info,a=warn,store=debug"));
    }
}
