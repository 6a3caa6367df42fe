package dev.grapnel.git.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.repository.Oid;
import java.util.List;
import java.util.Optional;
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
                "upload-pack: not our ref " + DIGITS + "\n",
                "want " + DIGITS + " not valid",
                "Client wants invalid object " + DIGITS,
                "Client wants invalid object b'" + DIGITS + "'",
                "TF401035: The object '" + DIGITS + "' does not exist.\n"
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
                "upload-pack: not our ref " + DIGITS + "0",
                "I want " + DIGITS + " not valid",
                "want " + DIGITS + " not valid any more",
                "object " + DIGITS + " does not exist"
            })
    void otherWordsMeanNothing(String words) {
        assertEquals(Optional.empty(), Refusals.find(words, List.of(ID)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "not our ref " + DIGITS,
                "want " + DIGITS + " not valid",
                "Client wants invalid object " + DIGITS,
                "TF401035: The object '" + DIGITS + "' does not exist."
            })
    void idThatWasNotAskedForMeansNothing(String words) {
        assertEquals(Optional.empty(), Refusals.find(words, List.of(Oid.ZERO)));
    }
}
