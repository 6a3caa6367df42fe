package dev.grapnel.git.push;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.wire.KeepAlive;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.repository.Oid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a refused client is sent (service 6.9).
final class PushReportTest {
    @Test
    void eachRefToBlameHasItsOwnReasonAndTheOthersMerelyCameAlong() throws IOException {
        var refusal = new PushVerdict.Refused(
                Map.of("refs/heads/a", "fetch first", "refs/heads/b", "not declared"), List.of());
        assertEquals(
                "000eunpack ok\n"
                        + packet("ng refs/heads/a fetch first\n")
                        + packet("ng refs/heads/b not declared\n")
                        + packet("ng refs/heads/c atomic push failed\n")
                        + "0000",
                sent(refusal, "refs/heads/a", "refs/heads/b", "refs/heads/c"));
    }

    @Test
    void reasonIsOneShortLine() throws IOException {
        var refusal = new PushVerdict.Refused(Set.of("refs/heads/a"), "a\nb\u001b" + "é".repeat(300), List.of());
        var expected = "ng refs/heads/a a?b?" + "é".repeat(248) + "\n";
        assertTrue(sent(refusal, "refs/heads/a").contains(expected));
    }

    @Test
    void longCommandIsSentWhole() throws IOException {
        var hint = "hint: git push " + "refs/heads/branch ".repeat(200) + "end";
        var refusal = new PushVerdict.Refused(Set.of("refs/heads/a"), "why", List.of(hint));
        var out = new ByteArrayOutputStream();
        PushReport.refused(request("refs/heads/a"), refusal)
                .send(KeepAlive.defaults(() -> 0).bands(out, true));
        assertTrue(out.toString(StandardCharsets.UTF_8).contains(hint + "\n"));
    }

    @Test
    void refusalWithoutAnybodyToBlameIsNone() {
        assertThrows(IllegalArgumentException.class, () -> new PushVerdict.Refused(Map.of(), List.of()));
    }

    private static String packet(String line) {
        return "%04x".formatted(line.getBytes(StandardCharsets.UTF_8).length + 4) + line;
    }

    private static String sent(PushVerdict.Refused refusal, String... refs) throws IOException {
        var out = new ByteArrayOutputStream();
        PushReport.refused(request(refs), refusal).send(out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static PushRequest request(String... refs) {
        var commands = Arrays.stream(refs)
                .map(ref -> new PushCommand(
                        ref, Bytes.wrap(ref.getBytes(StandardCharsets.UTF_8)), Oid.ZERO, new Oid(1, 1, 1)))
                .toList();
        return new PushRequest(commands, Set.of("report-status"), List.of(), false);
    }
}
