package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.command.ConfigLoader.Start;
import dev.grapnel.config.ServiceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a server needs before it can start.
@NullUnmarked
final class ConfigLoaderTest {
    @TempDir
    private Path directory;

    private Start start(List<String> arguments, Map<String, String> variables) {
        return ConfigLoader.loadStart(arguments, variables, directory, new SecureRandom());
    }

    @Test
    void startHasAConfigurationAndAKey() {
        var first = assertInstanceOf(Start.Ready.class, start(List.of("--domain", "git.example.com"), Map.of()));
        assertEquals(Optional.of("git.example.com"), first.configuration().find(ServiceSettings.DOMAIN));
        assertTrue(first.owner().isNew());
        var second = assertInstanceOf(Start.Ready.class, start(List.of(), Map.of()));
        assertFalse(second.owner().isNew());
        assertEquals(first.owner().npub(), second.owner().npub());
    }

    @Test
    void keyMayStandInTheConfigurationFile() throws Exception {
        var file = Files.writeString(directory.resolve("settings"), "NGIT_RELAY_OWNER_NSEC=%064x\n".formatted(3));
        var ready = assertInstanceOf(Start.Ready.class, start(List.of("--config", file.toString()), Map.of()));
        assertEquals("NGIT_RELAY_OWNER_NSEC in " + file, ready.owner().origin());
    }

    @Test
    void noKeyIsMadeForAStartThatIsRefused() {
        var refused = assertInstanceOf(Start.Refused.class, start(List.of("--bind-address=0.0.0.0:1"), Map.of()));
        assertEquals(1, refused.problems().size());
        assertFalse(Files.exists(directory.resolve(".relay-owner.nsec")));
    }

    @Test
    void problemOfTheKeyIsToldWithTheOthers() {
        var variables = Map.of("GRAPNEL_RELAY_OWNER_NSEC", "no key", "GRAPNEL_MAX_LIMIT", "0");
        assertEquals(
                new Start.Refused(List.of(
                        "--domian is unknown; did you mean --domain?",
                        "GRAPNEL_MAX_LIMIT is less than 1 (it is a whole number from 1 to 16777216)",
                        "GRAPNEL_RELAY_OWNER_NSEC is not a secret key (it is an nsec, or 64 hex digits)")),
                start(List.of("--domian=x"), variables));
        assertEquals(
                new Start.Refused(
                        List.of("GRAPNEL_RELAY_OWNER_NSEC is not a secret key (it is an nsec, or 64 hex digits)")),
                start(List.of(), Map.of("GRAPNEL_RELAY_OWNER_NSEC", "no key")));
    }
}
