package dev.grapnel.nostr.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.Samples;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class NormalFormTest {
    @Test
    void fieldsAreReadWhereTheyStand() {
        var random = new Random(1);
        for (long createdAt : new long[] {0, 9, 1_700_000_000, (1L << 53) - 1}) {
            for (int kind : new int[] {0, 7, 30_618, Kinds.MAX}) {
                var event = Samples.event(createdAt, kind, Samples.tags(random, 4), Samples.text(random, 20));
                var shifted = new byte[event.json().length() + 3];
                event.json().copyTo(shifted, 3);
                assertEquals(event.id(), NormalForm.id(shifted, 3));
                assertEquals(event.author(), NormalForm.author(shifted, 3));
                assertEquals(createdAt, NormalForm.createdAt(shifted, 3));
                assertEquals(kind, NormalForm.kind(shifted, 3));
            }
        }
    }

    @Test
    void letteredTagsAreShownAsFiltersSeeThem() {
        var event = Samples.note(
                "",
                List.of(
                        List.of("t", "a\nb", "c"),
                        List.of("t"),
                        List.of("tt", "x"),
                        List.of("1", "x"),
                        List.of("E", "")));
        var seen = new ArrayList<String>();
        event.tags()
                .forEachLettered((letter, value) -> seen.add(letter + "=" + new String(value, StandardCharsets.UTF_8)));
        assertEquals(List.of("t=a\\nb", "E="), seen);
        var values = TagValues.of(List.of("b", "a\nb")).toCanonical();
        assertEquals("a\\nb", new String(values.getFirst(), StandardCharsets.UTF_8));
        assertEquals(2, values.size());
    }
}
