package dev.grapnel.git.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.repository.Oid;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// P-670.
final class RefusalsTest {
    private static final String DIGITS = "00000000000000000000000000000000000000aa";
    private static final Oid ID = Oid.parse(DIGITS).require();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "upload-pack: not our ref " + DIGITS,
                "not our ref " + DIGITS,
                "upload-pack: not our ref " + DIGITS + "\n"
            })
    void idThatWasAskedForIsBelieved(String words) {
        assertEquals(Optional.of(ID), Refusals.find(words, List.of(Oid.ZERO, ID)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                DIGITS,
                "https://example.com/not our ref",
                "unknown object " + DIGITS,
                "is not our ref 00000000000000000000000000000000000000AA",
                "cannot our ref " + DIGITS,
                "upload-pack: not our ref " + DIGITS + "0"
            })
    void otherWordsMeanNothing(String words) {
        assertEquals(Optional.empty(), Refusals.find(words, List.of(ID)));
    }

    @Test
    void idThatWasNotAskedForMeansNothing() {
        assertEquals(Optional.empty(), Refusals.find("not our ref " + DIGITS, List.of(Oid.ZERO)));
    }
}
