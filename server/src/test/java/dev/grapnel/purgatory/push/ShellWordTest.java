package dev.grapnel.purgatory.push;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// A real shell reads each word as it was meant.
final class ShellWordTest {
    private static final String NASTY = "ab'\"$`\\!&;|<>(){}[]*?~#= \t%^-+@,./:ü";

    @Test
    void shellFindsNothingInAQuotedWord() throws IOException, InterruptedException {
        int seed = 5;
        var random = new SplittableRandom(seed);
        var script = new StringBuilder("printf '" + '%' + "s\\n'");
        var expected = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            var word = new StringBuilder();
            for (int length = random.nextInt(8); length > 0; length--) {
                word.append(NASTY.charAt(random.nextInt(NASTY.length())));
            }
            script.append(' ').append(ShellWord.quoted(word.toString()));
            expected.append(word).append('\n');
        }
        var shell = new ProcessBuilder("sh", "-s").redirectErrorStream(true).start();
        try (var in = shell.getOutputStream()) {
            in.write(script.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        }
        var said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, shell.waitFor());
        assertEquals(expected.toString(), said, "seed " + seed);
    }

    @Test
    void ordinaryWordsStayReadable() {
        assertEquals("refs/heads/feature-1_x.y", ShellWord.quoted("refs/heads/feature-1_x.y"));
        assertEquals(
                "https://git.example.com:8443/n/my%20x.git",
                ShellWord.quoted("https://git.example.com:8443/n/my%20x.git"));
    }
}
