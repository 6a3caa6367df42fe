package dev.grapnel.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.nip19.Nsec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where the operator's key comes from, and what is never told of it.
@NullUnmarked
final class OwnerKeyTest {
    private static final String NSEC = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";
    private static final String HEX = "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa";

    @TempDir
    private Path directory;

    private OwnerKey key(Map<String, String> variables, Map<String, String> lines) {
        return new OwnerKey(
                new ConfigSources(Map.of(), variables, lines, ".env"), directory, new SecureRandom(new byte[] {1}));
    }

    private OwnerKey.Found found(Map<String, String> variables, Map<String, String> lines) {
        return key(variables, lines).findOrMake().require();
    }

    private String problem(Map<String, String> variables) {
        var outcome = key(variables, Map.of()).findOrMake();
        return assertInstanceOf(Parsed.Invalid.class, outcome).reason();
    }

    private Path file() {
        return directory.resolve(".relay-owner.nsec");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static String hex(int last) {
        return "%064x".formatted(last);
    }

    private static SecretKey secret(int last) {
        return SecretKey.parse(hex(last)).require();
    }

    @Test
    void credentialBeatsVariablesBeatLinesBeatFile() throws IOException {
        var credentials = Files.createDirectory(directory.resolve("credentials"));
        var credential = Files.writeString(credentials.resolve("relay_owner_nsec"), " " + hex(1) + "\n");
        Files.writeString(file(), hex(6));
        var variables = Map.of(
                "CREDENTIALS_DIRECTORY", credentials.toString(),
                "GRAPNEL_RELAY_OWNER_NSEC", hex(2),
                "NGIT_RELAY_OWNER_NSEC", hex(3));
        var lines = Map.of("GRAPNEL_RELAY_OWNER_NSEC", hex(4), "NGIT_RELAY_OWNER_NSEC", hex(5));
        assertEquals(new OwnerKey.Found(secret(1), credential.toString(), false), found(variables, lines));
        Files.delete(credential);
        assertEquals(new OwnerKey.Found(secret(2), "GRAPNEL_RELAY_OWNER_NSEC", false), found(variables, lines));
        assertEquals(
                new OwnerKey.Found(secret(3), "NGIT_RELAY_OWNER_NSEC", false),
                found(Map.of("NGIT_RELAY_OWNER_NSEC", hex(3)), lines));
        assertEquals(new OwnerKey.Found(secret(4), "GRAPNEL_RELAY_OWNER_NSEC in .env", false), found(Map.of(), lines));
        assertEquals(
                new OwnerKey.Found(secret(5), "NGIT_RELAY_OWNER_NSEC in .env", false),
                found(Map.of(), Map.of("NGIT_RELAY_OWNER_NSEC", hex(5))));
        assertEquals(new OwnerKey.Found(secret(6), file().toString(), false), found(Map.of(), Map.of()));
    }

    @Test
    void keyIsAnNsecOrHexDigits() {
        var wanted = SecretKey.parse(HEX).require();
        for (var text : List.of(NSEC, HEX, "\t" + NSEC + "\n", HEX.toUpperCase(java.util.Locale.ROOT))) {
            assertEquals(
                    wanted,
                    found(Map.of("GRAPNEL_RELAY_OWNER_NSEC", text), Map.of()).key());
        }
        assertFalse(Files.exists(file()));
    }

    @Test
    void withoutOneAKeyIsMadeAndKeptForItsOwnerOnly() throws IOException {
        assertEquals(Parsed.valid(Optional.empty()), key(Map.of(), Map.of()).find());
        assertFalse(Files.exists(file()));
        var made = found(Map.of(), Map.of());
        assertTrue(made.isNew());
        assertEquals(file().toString(), made.origin());
        assertEquals(new Nsec(made.key()).revealed() + "\n", Files.readString(file()));
        assertEquals("rw-------", mode(file()));
        assertEquals(new OwnerKey.Found(made.key(), made.origin(), false), found(Map.of(), Map.of()));
        try (var files = Files.list(directory)) {
            assertEquals(List.of(file()), files.toList());
        }
    }

    @Test
    void fileThatOthersCouldReadIsClosedToThem() throws IOException {
        Files.writeString(file(), HEX);
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
        assertTrue(key(Map.of(), Map.of()).find().require().isPresent());
        assertEquals("rw-r--r--", mode(file()));
        found(Map.of(), Map.of());
        assertEquals("rw-------", mode(file()));
    }

    @Test
    void whoStartsTwiceAtOnceHasOneKey() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var starts = IntStream.range(0, 20)
                    .<Callable<SecretKey>>mapToObj(i -> () -> new OwnerKey(
                                    new ConfigSources(Map.of(), Map.of(), Map.of(), ".env"),
                                    directory,
                                    new SecureRandom())
                            .findOrMake()
                            .require()
                            .key())
                    .toList();
            var keys =
                    threads.invokeAll(starts).stream().map(f -> f.resultNow()).collect(Collectors.toSet());
            assertEquals(1, keys.size());
        }
    }

    @Test
    void emptyNeverMeansANewKey() throws IOException {
        var told = " is empty, and to make a new key instead would change who the operator is; set the key, or remove"
                + " it";
        assertEquals("NGIT_RELAY_OWNER_NSEC" + told, problem(Map.of("NGIT_RELAY_OWNER_NSEC", " \n")));
        assertEquals(
                "GRAPNEL_RELAY_OWNER_NSEC" + told,
                problem(Map.of("GRAPNEL_RELAY_OWNER_NSEC", "", "NGIT_RELAY_OWNER_NSEC", HEX)));
        assertFalse(Files.exists(file()));
        Files.writeString(file(), "\n");
        assertEquals(file() + told, problem(Map.of()));
    }

    @Test
    void whatIsNoKeyIsToldWithoutRepeatingIt() throws IOException {
        var broken = NSEC.replace('v', 'q');
        for (var text : List.of(broken, HEX + "0", "f".repeat(64), "0".repeat(64), "npub1x", "\u00e9")) {
            assertEquals(
                    "GRAPNEL_RELAY_OWNER_NSEC is not a secret key (it is an nsec, or 64 hex digits)",
                    problem(Map.of("GRAPNEL_RELAY_OWNER_NSEC", text)));
        }
        Files.write(file(), Bytes.parseHex("ff00ff00").require().toArray());
        assertEquals(file() + " is not a secret key (it is an nsec, or 64 hex digits)", problem(Map.of()));
        Files.writeString(file(), NSEC.repeat(1_000));
        assertEquals(file() + " is too long for a secret key", problem(Map.of()));
        assertFalse(found(Map.of("GRAPNEL_RELAY_OWNER_NSEC", NSEC), Map.of())
                .toString()
                .contains(NSEC.substring(5)));
    }

    @Test
    void placesThatCannotBeUsedAreNamed() throws IOException {
        Files.createDirectory(file());
        assertTrue(
                problem(Map.of()).startsWith("the operator's key in " + file() + " could not be read: "),
                problem(Map.of()));
        Files.delete(file());
        var nowhere = directory.resolve("nowhere");
        var outcome = new OwnerKey(new ConfigSources(Map.of(), Map.of(), Map.of(), ".env"), nowhere, new SecureRandom())
                .findOrMake();
        assertEquals(
                Parsed.invalid("a new key for the operator could not be written to "
                        + nowhere.resolve(".relay-owner.nsec") + ": there is no such file or directory"),
                outcome);
        assertEquals("$CREDENTIALS_DIRECTORY is not a path", problem(Map.of("CREDENTIALS_DIRECTORY", "\0")));
    }
}
